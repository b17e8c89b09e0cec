"""Where banks lie: the built-in one, those given with --bank, those in WARPDOJO_BANK.

A bank is a folder with `questions/<topic>/<id>.yaml` and, for kernel tasks, `kernels/<id>.cu` and
`solutions/<id>/`. The built-in bank is the repository itself in a checkout and `trainer/content` in
an installed wheel.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from trainer.errors import Location, UsageError

VARIABLE = "WARPDOJO_BANK"


@dataclass(frozen=True)
class Root:
    """One bank."""

    path: Path

    @property
    def questions(self) -> Path:
        return self.path / "questions"

    @property
    def followups(self) -> Path:
        """Follow-ups of kernel tasks; the one folder among the topics that is none."""
        return self.questions / "followups"

    @property
    def kernels(self) -> Path:
        return self.path / "kernels"

    @property
    def solutions(self) -> Path:
        return self.path / "solutions"

    @property
    def blueprints(self) -> Path:
        return self.path / "blueprints"


def built_in() -> Root:
    """The bank that comes with the program. Raises UsageError if the installation lost it."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "content", package.parent):
        if (folder / "questions").is_dir():
            return Root(folder)
    raise UsageError("the built-in questions are missing", where=Location(package), hint="Install again.")


def find(given: Iterable[str | Path] = (), environ: Mapping[str, str] = os.environ) -> tuple[Root, ...]:
    """The built-in bank, then the given ones, then those in the environment; each once.

    Raises UsageError for a folder that does not exist or has no `questions` folder.
    """
    listed = [Path(part) for part in environ.get(VARIABLE, "").split(os.pathsep) if part]
    roots = [built_in()]
    for folder, source in [*((Path(g), "--bank") for g in given), *((p, VARIABLE) for p in listed)]:
        root = Root(folder.expanduser().resolve())
        if not root.questions.is_dir():
            problem = "has no folder 'questions'" if root.path.is_dir() else "is no folder"
            hint = f"{source} takes folders laid out like the built-in bank: questions/<topic>/<id>.yaml."
            raise UsageError(f"the bank {problem}", where=Location(folder), hint=hint)
        if root not in roots:
            roots.append(root)
    return tuple(roots)
