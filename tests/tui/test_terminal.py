"""The app in a real terminal: input that it cannot read, signals, and the shell behind it."""

from __future__ import annotations

import os
import select
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pseudo_terminal import start_in_terminal

APP = [sys.executable, "-m", "trainer.cli"]
CONTROLLED = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execvp(sys.argv[1], sys.argv[1:])"
)
"""Makes the terminal the one that keys send signals from, and then becomes another program."""
HOME, LEFT = "Topics", "\x1b[?1049l"
"""On the first screen; and what gives the terminal back."""


class Window:
    """What the program showed since it was last waited for is in `shown`."""

    def __init__(self, command: list[str], folder: Path) -> None:
        environment = {**os.environ, "TERM": "xterm-256color", "WARPDOJO_HOME": str(folder / "home")}
        self.process, self._terminal = start_in_terminal(
            [sys.executable, "-c", CONTROLLED, *command], environment
        )
        self.shown = ""

    def type(self, data: bytes) -> None:
        os.write(self._terminal, data)

    def wait_for(self, words: str, timeout_s: float = 20.0) -> None:
        end = time.monotonic() + timeout_s
        while words not in self.shown:
            assert time.monotonic() < end, f"{words!r} never came: {self.shown[-2000:]}"
            if select.select([self._terminal], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self._terminal, 65536).decode(errors="replace")
                except OSError:  # the other side has closed
                    assert words in self.shown, self.shown[-2000:]
        self.shown = self.shown.partition(words)[2]

    def hang_up(self) -> None:
        os.close(self._terminal)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.hang_up()


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    found = Window(APP, tmp_path)
    yield found
    found.close()


def test_no_input_ends_the_app_whatever_its_bytes(window: Window) -> None:
    window.wait_for(HOME)
    window.type(b"\xe9\x1b[200~caf\xe9 \xff\xfe\x1b[201~")
    time.sleep(0.2)
    window.type(b"\x1b[8:u")
    time.sleep(0.2)
    window.type(b"?")
    window.wait_for("Keys")
    window.type(b"\x11")
    assert window.process.wait(10) == 0


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_to_end_gives_the_terminal_back(window: Window, told: signal.Signals) -> None:
    window.wait_for(HOME)
    window.process.send_signal(told)
    window.wait_for(LEFT)
    assert window.process.wait(10) == 128 + told


def test_a_terminal_that_goes_away_ends_the_app(tmp_path: Path) -> None:
    window = Window(APP, tmp_path)
    try:
        window.wait_for(HOME)
        window.hang_up()
        assert window.process.wait(10) == 128 + signal.SIGHUP
    finally:
        window.process.kill()


def test_ctrl_z_goes_to_the_shell_and_fg_comes_back(tmp_path: Path) -> None:
    window = Window(["sh", "-mc", f"{shlex.join(APP)}; echo the shell; fg; exit 5"], tmp_path)
    try:
        window.wait_for(HOME)
        window.type(b"\x1a")
        window.wait_for(LEFT)
        window.wait_for("the shell")
        window.wait_for(HOME)
        window.type(b"\x11")
        assert window.process.wait(10) == 5
    finally:
        window.close()


def test_without_a_shell_ctrl_z_says_so(window: Window) -> None:
    window.wait_for(HOME)
    window.type(b"\x1a")
    window.wait_for("no shell")


def test_ctrl_c_in_the_users_editor_does_not_end_the_app(tmp_path: Path) -> None:
    """It reaches every process of the terminal."""
    ask = "from trainer.tui.external_editor import _run; print('came back', _run(['sleep', '20']))"
    window = Window([sys.executable, "-c", f"print('ready', flush=True); {ask}"], tmp_path)
    try:
        window.wait_for("ready")
        time.sleep(1)
        window.type(b"\x03")
        window.wait_for("came back was ended by SIGINT")
    finally:
        window.close()
