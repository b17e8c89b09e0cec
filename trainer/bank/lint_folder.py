"""What is wrong with the files of a bank taken together: names that are taken, files that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trainer.bank.finding import Finding, Severity
from trainer.bank.index import Index, load_index
from trainer.bank.roots import Root, built_in
from trainer.errors import ContentError, Location


def taken(root: Root, index: Index) -> Iterator[ContentError]:
    """Questions that a bank cannot have, because the built-in one has that id already."""
    if root.path == built_in().path:
        return
    there = {entry.id: entry.path for entry in load_index([built_in()]).entries}
    for entry in index.entries:
        if entry.id in there:
            message = f"there is a built-in question {entry.id!r}, which hides this one"
            yield ContentError(message, where=Location(entry.path), hint="Rename this one and its files.")


def unused(root: Root, index: Index) -> Iterator[Finding]:
    """Starters and ladders that belong to no question, mostly because of a slip in the name."""
    known = {entry.id for entry in index.entries}
    known |= {Path(problem.where.file).stem for problem in index.problems if problem.where}
    ladders = (path.parent for path in root.solutions.glob("*/ladder.yaml"))
    for path in sorted((*root.kernels.glob("*.cu"), *ladders)):
        if path.stem not in known:
            message = f"belongs to no question: there is no questions/<topic>/{path.stem}.yaml"
            yield Finding(Location(path), Severity.WARNING, message)
