"""Strategy and spoken questions as data, and the interviewer's follow-ups that other kinds have as well.

An answer has three parts: numbers, which are graded; words, which the learner scores against points that
are shown only afterwards; and follow-ups, asked one at a time until one is failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from trainer.bank.model import Text
from trainer.bank.quiz import Analysis, Numeric, Provenance


class Aspect(StrEnum):
    """What a point of a good answer belongs to: the seven steps, then what runs through all of them."""

    SHAPES = "shapes"  # 1 sizes, data types, layouts
    WORK = "work"  # 2 operations and bytes
    BOUND = "bound"  # 3 memory, compute or latency
    PARALLELISM = "parallelism"  # 4 what a grid, block, warp and thread do
    ACCESS = "access"  # 5 coalescing, shared memory, registers, passes over the data
    COMPUTE = "compute"  # 6 tensor cores, instruction count, precision
    PROFILE = "profile"  # 7 what is measured, and the floor it is compared with
    MAGNITUDE = "magnitude"  # magnitudes come before techniques
    TRADE_OFF = "trade-off"  # what is given up for a gain
    PLAN = "plan"  # how to find out: tool, order, what would change one's mind
    CONSISTENCY = "consistency"  # nothing said contradicts a number


STEPS = tuple(Aspect)[:7]
EVIDENCE = frozenset({Aspect.WORK, Aspect.PROFILE, Aspect.MAGNITUDE, Aspect.PLAN})
"""Points about numbers and how to measure them; the others are about the principle."""


@dataclass(frozen=True)
class NumberAsked:
    """A number to give. `formula` is the expression over the question's givens that `answer.value` was
    computed from, "" where the file states the value; `why` shows the computation."""

    ask: Text
    answer: Numeric
    why: Text
    formula: str = ""


@dataclass(frozen=True)
class Point:
    """One concrete thing that a good answer says; worth one point."""

    aspect: Aspect
    text: Text


@dataclass(frozen=True)
class QuizAsked:
    """A quiz or an analysis of the bank, by its id."""

    id: str


@dataclass(frozen=True)
class Discussion:
    """A question answered in words: afterwards the learner ticks which of `points` were said."""

    ask: Text
    points: tuple[Text, ...]
    answer: Text


@dataclass(frozen=True)
class Followup:
    """One question of a tree. A tuple of them is a line: passing one leads to the next, failing one to
    its `otherwise` - an easier line, which leads back if all of it is passed - and else ends it."""

    item: QuizAsked | NumberAsked | Discussion
    otherwise: tuple[Followup, ...] = ()


@dataclass(frozen=True)
class Strategy:
    """What a file of kind "strategy" holds. `points` are hidden until the answer is handed in."""

    provenance: Provenance
    prompt: Text
    minutes: int  # planned for the answer, follow-ups not counted
    numbers: tuple[NumberAsked, ...]
    points: tuple[Point, ...]
    answer: Text  # a model answer
    followups: tuple[Followup, ...] = ()
    givens: Mapping[str, float] = field(default_factory=dict)
    gpu: str | None = None  # the GPU that the numbers belong to; None: they hold for all
    exhibit: Analysis | None = None  # a kernel that is part of the prompt, with what is counted for it
