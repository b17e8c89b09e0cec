"""Where words go: people-talk to the terminal, one JSON object to standard output with --json."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, TextIO

from trainer.cli import plain
from trainer.text import clean

if TYPE_CHECKING:
    from rich.console import Console

    from trainer.errors import WarpDojoError


class Output:
    """With `as_json`, standard output gets what `emit` says and everything else goes to stderr."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json

    def emit(self, value: dict[str, Any]) -> None:
        if self.as_json:
            text = json.dumps(value, ensure_ascii=_is_plain(sys.stdout), allow_nan=False)
            print(text, file=sys.stdout, flush=True)

    def say(self, text: str = "") -> None:
        people = self._people()
        print(_fitted(text, people), file=people)

    def warn(self, text: str) -> None:
        print(_fitted(f"warning: {text}", sys.stderr), file=sys.stderr)

    def error(self, problem: WarpDojoError) -> None:
        """Words to stderr; with --json an object with the same words to standard output."""
        print(_fitted(f"warpdojo: {clean(str(problem))}", sys.stderr), file=sys.stderr)
        where = str(problem.where) if problem.where else None
        error = {"message": problem.message, "where": where, "hint": problem.hint or None}
        self.emit({"schema": 1, "error": error})

    def console(self) -> Console:
        """For tables and colour; markup and emoji codes in texts stay as they are."""
        from trainer.cli.console import PipedConsole

        people = self._people()
        console = PipedConsole(file=people, markup=False, emoji=False, highlight=False, soft_wrap=False)
        if _is_plain(people):
            console.width -= plain.ROOM
        return console

    def _people(self) -> TextIO:
        return sys.stderr if self.as_json else sys.stdout


def can_type() -> bool:
    """Whether somebody can answer: standard input is a terminal."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def _fitted(text: str, stream: TextIO) -> str:
    """On a terminal, lines that are too long are broken between words; words, such as paths, stay whole."""
    if not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(_broken(line, width) if len(line) > width else line for line in text.split("\n"))


def _broken(line: str, width: int) -> str:
    from textwrap import fill

    indent = " " * (len(line) - len(line.lstrip(" ")))
    return fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _is_plain(stream: TextIO) -> bool:
    return getattr(stream, "errors", None) == plain.HANDLER


def prepare_streams() -> None:
    """Output may be closed or unable to show a character; neither is worth a traceback."""
    plain.register()
    asked_for = {"encoding": "ascii"} if plain.is_plain(os.environ, bool(sys.flags.utf8_mode)) else {}
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            ascii_only = asked_for or not stream.encoding.lower().startswith("utf")
            stream.reconfigure(errors=plain.HANDLER if ascii_only else "replace", **asked_for)
