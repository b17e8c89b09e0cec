"""All banks together: what the front ends and grading ask for questions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from trainer.bank.index import Index, load_index
from trainer.bank.model import Entry, Question, Recording, Rung
from trainer.bank.roots import Root, find
from trainer.errors import UsageError

if TYPE_CHECKING:
    from trainer.bank.strategy import Followup
from trainer.store.paths import cache_dir


def _heads() -> Path | None:
    """Where the heads of question files are remembered; None without a home folder."""
    try:
        return cache_dir() / "heads.json"
    except UsageError:
        return None


class Library:
    """Questions by id, from the built-in bank and the user's own."""

    def __init__(self, roots: tuple[Root, ...]) -> None:
        self.roots = roots

    @classmethod
    def open(cls, banks: Iterable[str | Path] = (), environ: Mapping[str, str] = os.environ) -> Library:
        """The built-in bank, `banks` (--bank) and those in WARPDOJO_BANK. Raises UsageError."""
        return cls(find(banks, environ))

    @cached_property
    def index(self) -> Index:
        """What there is to list, and which files are broken."""
        return load_index(self.roots, _heads())

    def entry(self, question_id: str) -> Entry:
        """Raises UsageError for an unknown id, or ContentError if its file is broken."""
        for entry in self.index.entries:
            if entry.id == question_id:
                return entry
        for problem in self.index.problems:
            if problem.where and Path(problem.where.file).stem == question_id:
                raise problem
        import difflib  # here and below: listing questions needs none of these

        close = difflib.get_close_matches(question_id, [e.id for e in self.index.entries], n=3)
        hint = "`warpdojo list`, or / in the app, shows what there is."
        hint = f"Did you mean {' or '.join(close)}?" if close else hint
        raise UsageError(f"there is no question {question_id!r}", hint=hint)

    def root(self, entry: Entry) -> Root:
        """The bank that a question comes from."""
        return next(root for root in self.roots if entry.path.is_relative_to(root.questions))

    def question(self, question_id: str) -> Question:
        """The whole question, checked. Raises UsageError or ContentError."""
        from trainer.bank import schema

        entry = self.entry(question_id)
        return schema.load_question(self.root(entry), entry)

    def followups(self, question: Question) -> tuple[Followup, ...]:
        """What an interviewer asks next, one at a time: `trainer.strategy.walk` knows in which order.

        A kernel task has the line of its own id, else that of its topic, in its bank or the built-in one.
        """
        from trainer.bank.schema_strategy import read_followups
        from trainer.bank.strategy import Followup, QuizAsked

        if question.strategy:
            return question.strategy.followups
        if question.quiz:
            return tuple(Followup(QuizAsked(name)) for name in question.quiz.followups)
        own = next(root for root in self.roots if question.path.is_relative_to(root.questions))
        for root in dict.fromkeys((own, self.roots[0])):
            for name in (question.id, question.topic):
                if (path := root.followups / f"{name}.yaml").is_file():
                    return read_followups(path)
        return ()

    def rungs(self, question: Question) -> tuple[Rung, ...]:
        """The reference ladder of a kernel task, lowest rung first; empty if it has none."""
        from trainer.bank.ladder import load_rungs

        return load_rungs(question.task.solutions) if question.task else ()

    def recordings(self, question: Question) -> tuple[Recording, ...]:
        """Measured times of the question's rungs as they are now, from all banks."""
        from trainer.bank.ladder import load_recordings, still_true

        if question.task is None:
            return ()
        rungs, sizes = self.rungs(question), question.task.timed.sizes
        found = (r for root in self.roots for r in load_recordings(root.solutions))
        return tuple(still_true(r, question.id, rungs, sizes) for r in found)
