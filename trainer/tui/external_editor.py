"""Hand a file to the user's own editor, and take the terminal back afterwards."""

from __future__ import annotations

import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from textual.app import App, SuspendNotSupported

from trainer.errors import Location, UsageError


def edit(app: App[int], command: str, path: Path) -> None:
    """Waits until the editor is left. Raises UsageError where there is none or it does not start."""
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise UsageError(f"the editor command {command!r} cannot be read: {problem}") from problem
    if not words:
        hint = "set $VISUAL or $EDITOR, name one in the settings (s on the home screen), or press E"
        raise UsageError("no editor is known", where=Location(path), hint=hint)
    try:
        with app.suspend():  # nothing may be raised in here: Textual would not take the terminal back
            wrong = _run([*words, str(path)])
    except SuspendNotSupported as unsupported:
        hint = "open it in another window; w grades on every save"
        raise UsageError("this terminal cannot be lent out", where=Location(path), hint=hint) from unsupported
    if wrong:
        raise UsageError(f"the editor {words[0]!r} {wrong}", where=Location(path))


def _run(command: list[str]) -> str:
    """What went wrong; "" where nothing did."""
    try:
        with _keys_are_the_editors():
            status = subprocess.run(command, check=False).returncode
    except (OSError, ValueError) as problem:  # ValueError: a NUL in a word
        return f"does not start: {getattr(problem, 'strerror', None) or problem}"
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"ended with status {status}" if status else ""


@contextmanager
def _keys_are_the_editors() -> Iterator[None]:
    """Ctrl-C and Ctrl-\\ reach all programs of the terminal; here they mean the editor only. A handler, not
    SIG_IGN, which the editor would inherit."""
    before = {one: signal.signal(one, lambda *_: None) for one in (signal.SIGINT, signal.SIGQUIT)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
