"""Interviews that were begun and not ended: how long they have left, and what they keep shut.

What a strict interview asks is open in that interview alone until its time is up: its hints, solutions and
explanations, and grading it elsewhere, which might tell more than the interview does.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from trainer.bank.model import Text, localized
from trainer.errors import UsageError
from trainer.interview.clock import in_words
from trainer.interview.state import load, replay
from trainer.store.interviews import InterviewLog
from trainer.text import language


@dataclass(frozen=True)
class Unfinished:
    """`left_s` is what its clock has left now: a strict one runs on while the program is closed, that of
    practice stood still after the last sign of life. `questions` are the ids of what it asks."""

    id: str
    title: Text
    strict: bool
    left_s: float
    questions: frozenset[str]

    @property
    def keeps_shut(self) -> bool:
        return self.strict and self.left_s > 0


def unfinished(log: InterviewLog | None, now: datetime) -> tuple[Unfinished, ...]:
    """Newest first."""
    return () if log is None else tuple(_look(log, interview, now) for interview in log.unfinished())


def _look(log: InterviewLog, interview: str, now: datetime) -> Unfinished:
    events = load(log, interview)
    state = replay(events)
    until = now if state.strict else min(now, max(filter(None, (events[-1].at, log.alive(interview)))))
    questions = frozenset(asked.question for asked in state.plan.asked)
    return Unfinished(interview, state.plan.title, state.strict, state.left_s(until), questions)


def strict_one(log: InterviewLog | None, now: datetime) -> Unfinished | None:
    """The strict interview that is running, if there is one; two of them cannot be."""
    return next((one for one in unfinished(log, now) if one.keeps_shut), None)


def why_shut(question: str, one: Unfinished, spoken: str) -> UsageError:
    """For a question of it that is asked for elsewhere."""
    return UsageError(
        f"{question} is part of a strict interview, {localized(one.title, spoken)}, with "
        f"{in_words(one.left_s)} left; until it ends this question is open only there",
        hint="`warpdojo mock` goes on with it, and there F hands it in",
    )


def refuse_second(log: InterviewLog | None, now: datetime) -> None:
    """Raises UsageError where a strict interview is running: its clock would run on beside another."""
    one = strict_one(log, now)
    if one is not None:
        raise UsageError(
            f"a strict interview is running, {localized(one.title, language())}, with "
            f"{in_words(one.left_s)} left; another can begin when it has ended",
            hint="go on with it, and hand it in (F) if you have done enough",
        )
