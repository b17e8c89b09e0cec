"""The whole program in a real terminal: from its start to an accepted kernel and its ladder."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pseudo_terminal import start_in_terminal

ROOT = Path(__file__).resolve().parents[2]
TMUX = shutil.which("tmux")
pytestmark = pytest.mark.skipif(TMUX is None, reason="tmux is not installed")


class Terminal:
    """One tmux server of its own with one window."""

    def __init__(self, folder: Path, command: str, environment: dict[str, str]) -> None:
        self._socket = str(folder / "tmux")
        settings = " ".join(f"{key}={shlex.quote(value)}" for key, value in environment.items())
        # Stays open when the command ends, so that its last words can be read.
        shell = f"env {settings} {command}; echo left with $?; sleep 60"
        self.command = shell
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", shell)

    def _tmux(self, *arguments: str) -> str:
        assert TMUX is not None
        done = subprocess.run(
            [TMUX, "-S", self._socket, *arguments], capture_output=True, text=True, timeout=20, check=True
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def colours(self) -> str:
        """The screen with its escape codes."""
        return self._tmux("capture-pane", "-p", "-e")

    def wait_for(self, words: str, timeout_s: float = 25.0) -> str:
        end = time.monotonic() + timeout_s
        while words not in (screen := self.screen()):
            assert time.monotonic() < end, f"{words!r} never came; the screen:\n{screen}"
            time.sleep(0.1)
        return screen

    def resize(self, columns: int, rows: int) -> None:
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def kill_and_start_again(self) -> None:
        """As when the power fails: SIGKILL for all that runs in the window."""
        self._tmux("set-option", "-g", "remain-on-exit", "on")  # else the window closes with its process
        group = self._tmux("display-message", "-p", "#{pane_pid}").strip()
        os.killpg(os.getpgid(int(group)), signal.SIGKILL)
        self._tmux("respawn-window", "-k", self.command)

    def attach_and_detach(self) -> None:
        """Somebody looks in from another terminal, and goes."""
        assert TMUX is not None
        command = [TMUX, "-S", self._socket, "attach"]
        client, terminal = start_in_terminal(command, {**os.environ, "TERM": "xterm-256color"})
        os.read(terminal, 1)
        self._tmux("detach-client")
        client.wait()
        os.close(terminal)

    def kill_workers(self) -> None:
        """SIGKILL for every process below the app, and for nothing else."""
        pane = int(self._tmux("display-message", "-p", "#{pane_pid}"))
        workers = [pid for pid in descendants(pane) if b"trainer.worker" in command_line(pid)]
        assert workers
        for worker in workers:
            os.kill(worker, signal.SIGKILL)

    def close(self) -> None:
        self._tmux("kill-server")


def descendants(parent: int) -> list[int]:
    threads = Path(f"/proc/{parent}/task").glob("*/children")
    children = {int(pid) for thread in threads for pid in thread.read_text().split()}
    return [one for child in children for one in (child, *descendants(child))]


def command_line(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def start_command() -> str:
    """`make run`, or where that would install something first, what it starts in the end."""
    ready = subprocess.run(["make", "-q", ".venv/.installed"], cwd=ROOT, capture_output=True, check=False)
    if ready.returncode == 0:
        return f"make -s -C {shlex.quote(str(ROOT))} run"
    return f"{shlex.quote(sys.executable)} -m trainer.cli"


@pytest.fixture
def terminal(tmp_path: Path, own_home: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    editor = tmp_path / "editor"
    solution = ROOT / "solutions" / "vector-addition" / "02-coalesced.cu"
    editor.write_text(f'#!/bin/sh\ncp {shlex.quote(str(solution))} "$1"\n')
    editor.chmod(0o755)
    environment = {
        "WARPDOJO_HOME": str(tmp_path / "data"),
        "WARPDOJO_WORKSPACE": str(tmp_path / "work"),
        "XDG_CACHE_HOME": str(own_home / "cache"),
        "VISUAL": str(editor),
        "TERM": "screen-256color",
        "LC_ALL": "C.UTF-8",
        **getattr(request, "param", {}),
    }
    window = Terminal(tmp_path, start_command(), environment)
    try:
        yield window
    finally:
        window.close()


@pytest.mark.timeout(150)
def test_from_the_start_to_an_accepted_kernel_and_its_ladder(terminal: Terminal, tmp_path: Path) -> None:
    open_task(terminal, "Vector addition")

    terminal.press("l")
    terminal.wait_for("Locked")
    terminal.press("Escape")
    terminal.wait_for("Watch")

    terminal.press("E")  # makes the starter, which adds nothing
    terminal.wait_for("Escape saves and closes")
    terminal.press("Escape")
    terminal.wait_for("Watch")
    terminal.press("g")
    terminal.wait_for("✗ wrong answer")
    terminal.press("e")  # the editor writes the solution; its terminal is lent and comes back
    terminal.wait_for("result")
    terminal.press("g")
    terminal.wait_for("✓ accepted")
    terminal.press("2")
    terminal.wait_for("requests")

    terminal.press("l")
    terminal.wait_for("Rungs, recorded on")
    terminal.resize(120, 40)
    terminal.wait_for("Idea")
    terminal.press("C-q")
    terminal.wait_for("left with 0")
    assert "float" in (tmp_path / "work" / "vector-addition.cu").read_text()


@pytest.mark.timeout(150)
def test_edits_survive_a_kill(terminal: Terminal, tmp_path: Path) -> None:
    open_editor(terminal)
    terminal.press("-l", "// mine ")
    terminal.wait_for("// mine #include")
    drafts = tmp_path / "data" / "drafts"
    end = time.monotonic() + 20
    while not any("// mine" in draft.read_text() for draft in drafts.glob("*")):
        assert time.monotonic() < end, "no draft was kept"
        time.sleep(0.1)
    terminal.kill_and_start_again()
    open_editor(terminal)
    terminal.wait_for("// mine #include")


@pytest.mark.timeout(150)
def test_the_app_outlives_its_workers_its_file_and_its_terminal(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "work" / "softmax.cu"
    file.parent.mkdir()
    shutil.copy(ROOT / "solutions" / "softmax" / "01-one-block.cu", file)
    open_task(terminal, "Softmax")
    terminal.press("g")
    terminal.wait_for("compile")
    terminal.kill_workers()
    terminal.wait_for("crashed")
    terminal.attach_and_detach()
    terminal.press("Escape")
    file.unlink()
    terminal.wait_for("not there yet")
    terminal.resize(30, 8)
    terminal.resize(100, 30)
    terminal.wait_for('extern "C" void solve(')
    terminal.press("e")
    terminal.wait_for("a starter for you")


@pytest.mark.timeout(100)
@pytest.mark.parametrize(
    "terminal", [{"NO_COLOR": "1"}, {"TERM": "linux"}], ids=["no colour", "16 colours"], indirect=True
)
def test_poor_terminals_show_the_same_words(terminal: Terminal) -> None:
    open_task(terminal, "Vector addition")
    terminal.press("?")
    terminal.wait_for("Compile, run and judge your file")
    colours = terminal.colours()
    assert "38;2;" not in colours  # 24 bits
    terminal.press("C-q")
    terminal.wait_for("left with 0")


def open_task(terminal: Terminal, title: str) -> None:
    terminal.wait_for("Topics")
    terminal.press("/")
    terminal.wait_for("search")
    terminal.press("-l", title.lower())
    terminal.wait_for(title)
    terminal.press("Enter")
    terminal.wait_for('extern "C" void solve(')


def open_editor(terminal: Terminal) -> None:
    open_task(terminal, "Vector addition")
    terminal.press("E")
    terminal.wait_for("Escape saves and closes")
