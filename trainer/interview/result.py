"""What one question was worth: parts with the arithmetic that led to each, frozen once graded."""

from __future__ import annotations

from dataclasses import dataclass

from trainer.bank.model import Kind, Text


@dataclass(frozen=True)
class Part:
    """`got` of `of` points; None where it could not be judged, and then it counts for nothing. `how` shows
    the arithmetic."""

    name: str
    got: float | None
    of: float
    how: str


@dataclass(frozen=True)
class Result:
    """`score` is from 0 to 100. `missed` says what was missed and why, one thing each. `level` is A to D
    where the question has one. `best_us` is the time of the file that counted, where it was measured."""

    key: str
    question: str
    kind: Kind
    topic: str
    title: Text
    answered: bool
    parts: tuple[Part, ...]
    missed: tuple[str, ...]
    level: str = ""
    best_us: float | None = None

    @property
    def possible(self) -> float:
        return sum(part.of for part in self.parts if part.got is not None)

    @property
    def score(self) -> float:
        return 100 * sum(part.got or 0.0 for part in self.parts) / self.possible if self.possible else 0.0
