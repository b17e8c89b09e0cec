"""What an answer to a strategy question is worth.

Numbers are graded; points are ticked by the learner once they are shown; follow-ups are quizzes, numbers
or discussions. The level is that of the usual matrix: A has the principle, the numbers and how to measure
them, and survives follow-ups; B has the principle; C has parts, or fails within two follow-ups; D nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from trainer.bank.model import Text
from trainer.bank.strategy import EVIDENCE, Discussion, NumberAsked, Strategy
from trainer.errors import UsageError
from trainer.quiz.number import read_number
from trainer.strategy import units
from trainer.strategy.walk import Walk, walk

COMPLETE = 0.75
"""Share of its points from which the principle, or the evidence, counts as complete."""
DEEP = 2
"""Follow-ups that a sound answer survives."""

_UNIT = re.compile(r"(.*?[\d.])\s*((?![eE][-+]?\d)[^\d\s.,/_'].*)", re.DOTALL)
"""A number, then its unit; "e3" is part of the number."""


class Level(StrEnum):
    A = "A"  # principle, numbers and how measured
    B = "B"  # principle
    C = "C"  # parts of it, or recited
    D = "D"  # no answer


@dataclass(frozen=True)
class NumberResult:
    """`value` is None where no answer was given; `remark` says what may have gone wrong."""

    value: float | None
    right: bool
    remark: Text | None = None


@dataclass(frozen=True)
class Judgement:
    """`score` is 0 to 100: numbers and points count one each, follow-ups only for the level."""

    numbers: tuple[NumberResult, ...]
    ticked: tuple[bool, ...]  # for each point
    walk: Walk
    earned: int
    possible: int
    level: Level

    @property
    def score(self) -> float:
        return 100 * self.earned / self.possible if self.possible else 0.0


def parse_number(asked: NumberAsked, text: str) -> float | None:
    """What somebody typed, in the unit asked for: "4.8", "4.8 TB/s", "4800 GB/s"; None for nothing.

    Raises UsageError for what is no number, or is in a unit of something else.
    """
    if not text.strip():
        return None
    unit = asked.answer.unit["en"]
    hint = f"Type a number{f' in {unit}' if unit else ''}, such as 12 or 12.5 or 3/8 or 1.2e3."
    number, times = read_number(text), 1.0
    if number is None and (found := _UNIT.fullmatch(text.strip())):
        number = read_number(found[1])
        given = 1.0 if found[2].strip() in asked.answer.unit.values() else units.factor(found[2], unit)
        if number is not None and given is None:
            raise UsageError(f"{found[2].strip()!r} is not a unit that this number can have", hint=hint)
        times = given or 1.0
    if number is None:
        raise UsageError(f"{text.strip()!r} is no number", hint=hint)
    return number * times


def judge_number(asked: NumberAsked, value: float | None) -> NumberResult:
    """`value` as `parse_number` gives it."""
    if value is None:
        return NumberResult(None, False)
    if asked.answer.accepts(value):
        return NumberResult(value, True)
    for mistake in asked.answer.mistakes:
        if asked.answer.accepts(value, mistake.value):
            return NumberResult(value, False, mistake.why)
    times = units.slip(value, asked.answer.value, max(asked.answer.relative, 1e-3))
    return NumberResult(value, False, _about_slip(times, asked) if times else None)


def _about_slip(times: float, asked: NumberAsked) -> Text:
    step = times if times > 1 else 1 / times
    shown = f"{step:,.0f}"
    unit = asked.answer.unit["en"]
    large, en = ("大", "too large") if times > 1 else ("小", "too small")
    return {
        "en": f"{shown} times {en}: check the {f'unit, {unit}' if step > 2 and unit else 'factors'}",
        "zh": f"{large}了 {shown} 倍：请检查{f'单位（{unit}）' if step > 2 and unit else '系数'}",
    }


def passed(discussion: Discussion, ticks: Sequence[bool]) -> bool:
    """Whether more than half of the points of a follow-up were said."""
    return 2 * sum(ticks) > len(discussion.points)


def judge(
    strategy: Strategy,
    numbers: Sequence[float | None],
    ticked: Sequence[bool],
    followups: Sequence[bool] = (),
) -> Judgement:
    """`numbers` and `ticked` one for each that there is; `followups`: passed or not, in the order asked."""
    if len(numbers) != len(strategy.numbers) or len(ticked) != len(strategy.points):
        raise ValueError(f"{len(numbers)} numbers and {len(ticked)} ticks do not fit the question")
    results = tuple(judge_number(a, value) for a, value in zip(strategy.numbers, numbers, strict=True))
    went = walk(strategy.followups, followups)
    right = sum(result.right for result in results)
    earned = right + sum(ticked)
    level = _level(strategy, right, ticked, went) if earned else Level.D
    return Judgement(results, tuple(ticked), went, earned, len(results) + len(ticked), level)


def _level(strategy: Strategy, right: int, ticked: Sequence[bool], went: Walk) -> Level:
    """The level of an answer that has something right."""
    proof = [t for t, point in zip(ticked, strategy.points, strict=True) if point.aspect in EVIDENCE]
    idea = [t for t, point in zip(ticked, strategy.points, strict=True) if point.aspect not in EVIDENCE]
    if sum(idea) < COMPLETE * len(idea) or (went.failed and went.depth < DEEP):
        return Level.C
    if right + sum(proof) < COMPLETE * (len(strategy.numbers) + len(proof)):
        return Level.B
    return Level.A
