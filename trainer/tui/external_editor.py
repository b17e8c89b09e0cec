"""Hand a file to the user's own editor, and take the terminal back afterwards."""

from __future__ import annotations

import shlex
import subprocess
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
        with app.suspend():
            status = subprocess.run([*words, str(path)], check=False).returncode
    except SuspendNotSupported as problem:
        hint = "open it in another window; w grades on every save"
        raise UsageError("this terminal cannot be lent out", where=Location(path), hint=hint) from problem
    except OSError as problem:
        raise UsageError(f"the editor {words[0]!r} does not start: {problem.strerror}") from problem
    if status:
        raise UsageError(f"the editor {words[0]!r} ended with status {status}", where=Location(path))
