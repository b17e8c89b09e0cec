"""What a strict interview that is running keeps shut on the command line, too."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from trainer.bank.library import Library
from trainer.bank.model import Entry
from trainer.cli.output import Output
from trainer.errors import StoreError
from trainer.store.interviews import InterviewLog
from trainer.text import language

if TYPE_CHECKING:
    from trainer.interview.unfinished import Unfinished


def open_entries(library: Library, out: Output) -> tuple[Entry, ...]:
    """What there is, without what the interview asks."""
    one = _running_strict(out)
    if one is None:
        return tuple(library.index.entries)
    out.warn("what the strict interview that is running asks is left out")
    return tuple(entry for entry in library.index.entries if entry.id not in one.questions)


def refuse_if_shut(question: str, out: Output) -> None:
    """Raises UsageError where the interview asks this question."""
    one = _running_strict(out)
    if one is not None and question in one.questions:
        from trainer.interview.unfinished import why_shut

        raise why_shut(question, one, language())


def _running_strict(out: Output) -> Unfinished | None:
    """The strict interview that is running. A history that cannot be read costs a warning."""
    try:
        with InterviewLog.existing() as log:
            if log is None or not log.unfinished():
                return None
            from trainer.interview.unfinished import strict_one

            return strict_one(log, datetime.now(UTC))
    except StoreError as problem:
        out.warn(str(problem))
        return None
