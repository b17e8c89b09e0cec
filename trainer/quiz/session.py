"""Several questions one after the other; those missed or skipped come back until they are right.

Pure: who asks and where answers are kept is the front ends' business.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from trainer.bank.model import Entry, Kind
from trainer.quiz.draw import Drawn
from trainer.quiz.judge import Answer, Judgement, judge


@dataclass(frozen=True)
class Outcome:
    """What came of one question. `first_try` is None while it was only skipped."""

    drawn: Drawn
    first_try: bool | None
    right_now: bool


class Session:
    """`current` is the question to ask; None when everything was answered or the session was ended."""

    def __init__(self, questions: Sequence[Drawn]) -> None:
        self.questions = tuple(questions)
        self._left = deque(range(len(self.questions)))
        self._first: dict[int, bool] = {}
        self._right: set[int] = set()
        self._met: set[int] = set()

    @property
    def current(self) -> Drawn | None:
        return self.questions[self._left[0]] if self._left else None

    @property
    def number(self) -> int:
        """Which question of the session is asked, from 1."""
        return self._left[0] + 1 if self._left else len(self.questions)

    @property
    def is_back(self) -> bool:
        """Whether the current question was missed or skipped before."""
        return bool(self._left) and self._left[0] in self._met

    def answer(self, answer: Answer) -> Judgement:
        """Judge an answer to the current question and go on; a wrong one sends it to the end."""
        drawn = self.questions[self._left[0]]
        judgement = judge(drawn, answer)
        index = self._left.popleft()
        self._first.setdefault(index, judgement.right)
        self._met.add(index)
        if judgement.right:
            self._right.add(index)
        else:
            self._left.append(index)
        return judgement

    def skip(self) -> None:
        """Go on; the question comes back."""
        index = self._left.popleft()
        self._met.add(index)
        self._left.append(index)

    def end(self) -> None:
        """Ask nothing more."""
        self._left.clear()

    def outcomes(self) -> tuple[Outcome, ...]:
        """One for each question, in order."""
        return tuple(
            Outcome(drawn, self._first.get(i), i in self._right) for i, drawn in enumerate(self.questions)
        )


def choose(entries: Sequence[Entry], count: int, seed: int, topic: str | None = None) -> list[Entry]:
    """`count` quizzes and analyses at random, at most all there are; the same seed chooses the same."""
    kinds = (Kind.QUIZ, Kind.ANALYSIS)
    fitting = [e for e in entries if e.kind in kinds and topic in (None, e.topic)]
    return random.Random(seed).sample(fitting, min(count, len(fitting)))
