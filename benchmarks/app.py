"""How fast the terminal app answers: `python -m benchmarks.app [--save]`.

In a pseudo-terminal of 80 x 24: from the start of the process to the first frame with the topics on it,
from Ctrl+Q to its end, and from a letter typed to the line with it: at rest, in a file of 1,000 lines,
while a grade runs. Other work on the machine counts, too: the load is printed.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

from benchmarks import machine
from benchmarks.table import table

ROOT = Path(__file__).resolve().parent.parent
TASK, RUNG = "matrix-multiplication", "02-lanes-along-a-row.cu"
DONE = b"accepted"  # the strip, of a grade that has ended
GRADE, QUIT = b"\x1b[15~", b"\x11"  # F5, Ctrl+Q
LETTERS = b"abcdefghijklmnopqrstuvwxyz"
RUNS = 7
FIRST_FRAME_S, QUIT_S, KEY_MS = 0.4, 0.4, 50.0


class Terminal:
    """The app on a pseudo-terminal, with a home of its own in `folder`."""

    def __init__(self, folder: Path) -> None:
        home = {"WARPDOJO_HOME": str(folder), "WARPDOJO_WORKSPACE": str(folder), "TERM": "xterm-256color"}
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.execve(sys.executable, [sys.executable, "-m", "trainer.cli"], {**os.environ, **home})
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def press(self, keys: bytes) -> None:
        os.write(self.fd, keys)

    def until(self, *words: bytes, timeout_s: float = 20.0) -> bytes:
        """Everything that comes until one of `words` is drawn."""
        found, end = b"", time.perf_counter() + timeout_s
        while not any(one in found for one in words):
            if not select.select([self.fd], [], [], max(0.0, end - time.perf_counter()))[0]:
                raise SystemExit(f"{words!r} never came, but {found[-300:]!r}")
            found += os.read(self.fd, 65536)
        return found

    def processor_s(self) -> float:
        """What the process has had of the processors so far: what it would take on an idle machine."""
        threads = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def rest(self, quiet_s: float) -> bytes:
        """Everything that comes until nothing is drawn any more."""
        found = b""
        while select.select([self.fd], [], [], quiet_s)[0]:
            found += os.read(self.fd, 65536)
        return found

    def quit(self) -> float:
        """Seconds from the key to the end of the process."""
        begun = time.perf_counter()
        self.press(QUIT)
        try:
            while os.read(self.fd, 65536):
                pass
        except OSError:
            pass  # how Linux says that nobody has the terminal any more
        os.waitpid(self.pid, 0)
        os.close(self.fd)
        return time.perf_counter() - begun


def starts(folder: Path) -> tuple[list[float], list[float], list[float]]:
    """Seconds to the first frame, of processor time until then, and to leave, of some starts; the first
    one, cold, is left out."""
    first, worked, leaving = [], [], []
    for _ in range(RUNS + 1):
        terminal = Terminal(folder)
        terminal.until(b"atomics")
        first.append(time.perf_counter() - terminal.started)
        worked.append(terminal.processor_s())
        terminal.rest(0.5)
        leaving.append(terminal.quit())
    return first[1:], worked[1:], leaving[1:]


def keys(folder: Path, *, grading: bool) -> list[float]:
    """Milliseconds from a letter typed into the editor to the line with that letter."""
    took: list[float] = []
    terminal = Terminal(folder)
    terminal.until(b"atomics")
    terminal.rest(0.7)
    terminal.press(b"/")
    terminal.until(b"words of a title")
    terminal.press(TASK.replace("-", " ").encode())
    terminal.rest(0.5)
    terminal.press(b"\r")
    terminal.until(b"extern")
    terminal.press(b"E")
    terminal.until(b"Save and grade")
    terminal.rest(0.7)
    if grading:
        terminal.press(GRADE)
    end = time.perf_counter() + 2.0
    while time.perf_counter() < end:
        typed = b"//"
        terminal.press(typed)
        for letter in LETTERS:
            typed += bytes([letter])
            begun = time.perf_counter()
            terminal.press(bytes([letter]))
            over = DONE in terminal.until(typed, DONE)
            if not over:
                took.append(1000 * (time.perf_counter() - begun))
            if over or DONE in terminal.rest(0.015):
                terminal.quit()
                return took
        terminal.press(b"\r")
    terminal.quit()
    return took


def _keys_at_home(lines: int, *, grading: bool) -> list[float]:
    """In a folder of their own: what one run typed is a draft that the next would be asked about."""
    with tempfile.TemporaryDirectory() as name:
        _write(Path(name) / f"{TASK}.cu", lines)
        return keys(Path(name), grading=grading)


def _write(path: Path, lines: int = 0) -> None:
    """The rung; with `lines` again and again until it has as many."""
    text = (ROOT / "solutions" / TASK / RUNG).read_text(encoding="utf-8")
    path.write_text(text * max(1, -(-lines // text.count("\n"))), encoding="utf-8")


def measure() -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder / f"{TASK}.cu")
        first, worked, leaving = starts(folder)
        rows = [
            _seconds("first frame", first, FIRST_FRAME_S),
            _seconds("processor time until then", worked, FIRST_FRAME_S),
            _seconds("quit", leaving, QUIT_S),
        ]
        for what, lines, grading in (
            ("a letter at rest", 0, False),
            ("a letter in 1,000 lines", 1000, False),
            ("a letter while a grade runs", 0, True),
        ):
            took = [one for _ in range(10 if grading else 3) for one in _keys_at_home(lines, grading=grading)]
            rows.append(_row(what, took, KEY_MS, "ms", 0))
    load = f"Load of the machine: {os.getloadavg()[0]:.1f}.\n"
    return f"## The app\n\n{table(('what', 'times', 'median', '95 %', 'promised'), rows)}\n{load}"


def _seconds(what: str, took: list[float], promised: float) -> tuple[str, ...]:
    return _row(what, took, promised, "s", 2)


def _row(what: str, took: list[float], promised: float, unit: str, digits: int) -> tuple[str, ...]:
    high = statistics.quantiles(took, n=20)[-1]
    median = statistics.median(took)
    shown = [f"{value:.{digits}f} {unit}" for value in (median, high, promised)]
    return (what, str(len(took)), *shown)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--save", action="store_true", help="keep the output in benchmarks/results/")
    options = parser.parse_args()
    text = f"{machine.heading('The terminal app')}\n{measure()}"
    print(text)
    if options.save:
        path = ROOT / "benchmarks" / "results" / f"app-{machine.slug()}-{machine.today()}.md"
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
