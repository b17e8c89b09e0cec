"""What is said fits the terminal."""

from __future__ import annotations

import io
import sys

import pytest
from rich.console import Console

from trainer.cli.output import Output
from trainer.cli.text import source_line


class Screen(io.StringIO):
    """A terminal 40 cells wide."""

    def isatty(self) -> bool:
        return True


def test_long_lines_break_between_words_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/a/path/that/is/much/longer/than/the/terminal/is/wide"
    text = f"warned: {path} of the history is damaged\n    and indented lines stay indented, all of them"
    monkeypatch.setenv("COLUMNS", "40")
    for stream, lines in ((Screen(), None), (io.StringIO(), text.split("\n"))):
        monkeypatch.setattr(sys, "stdout", stream)
        Output(as_json=False).say(text)
        told = stream.getvalue().rstrip("\n").split("\n")
        assert told == (
            lines
            or [
                "warned:",
                path,
                "of the history is damaged",
                "    and indented lines stay indented,",
                "    all of them",
            ]
        )


def test_a_long_source_line_is_cut_around_its_caret() -> None:
    line = f"    int long_{'g' * 90} = 0; int error here; // {'and more ' * 20}"
    for width in (40, 80):
        console = Console(file=io.StringIO(), width=width)
        source_line(console, 1, [line], line.index("error") + 1)
        assert isinstance(console.file, io.StringIO)
        shown, caret = console.file.getvalue().splitlines()
        assert shown[caret.index("^") :].startswith("error") and len(shown) <= width
        assert shown.startswith("      1 | …") and shown.endswith("…")
