"""Whether an answer is right, and what to say about it."""

from __future__ import annotations

from dataclasses import dataclass

from trainer.bank.model import Text
from trainer.bank.quiz import Form, Option
from trainer.errors import UsageError
from trainer.quiz.draw import LETTERS, Drawn
from trainer.quiz.number import read_number, write_number

Answer = tuple[int, ...] | float
"""Indexes of shown options (in order, for an ordering), a number for each marked line, or a number."""


@dataclass(frozen=True)
class Remark:
    """About one option, by its letter, or (letter "") about a number."""

    letter: str
    correct: bool
    text: Text


@dataclass(frozen=True)
class Judgement:
    """`solution` is the right answer as one would type it."""

    right: bool
    solution: str
    remarks: tuple[Remark, ...]
    explanation: Text


def parse_answer(drawn: Drawn, text: str) -> Answer:
    """What somebody typed: "b", "a c", "bca", "12.5", "1,024", "3/4". Raises UsageError with advice."""
    if drawn.form is Form.NUMERIC:
        return _number(drawn, text)
    if drawn.form is Form.LINES:
        return _numbers(drawn, text)
    letters = [c for c in text.lower() if c.isalnum()]
    known = LETTERS[: len(drawn.options)]
    chosen = tuple(known.find(letter) for letter in letters)
    if not chosen or -1 in chosen or len(set(chosen)) < len(chosen):
        raise UsageError(f"{text.strip()!r} is no answer", hint=expected(drawn))
    if drawn.form is Form.SINGLE and len(chosen) != 1:
        raise UsageError("one option is right", hint=expected(drawn))
    if drawn.form is Form.ORDERING and len(chosen) != len(known):
        raise UsageError("every option has a place", hint=expected(drawn))
    return chosen


def expected(drawn: Drawn) -> str:
    """What an answer to this question looks like."""
    known = LETTERS[: len(drawn.options)]
    match drawn.form:
        case Form.LINES:
            example = " ".join(str(5 + n) for n in range(len(costs_of(drawn))))  # no cost is like that
            return f"Type {len(costs_of(drawn))} whole numbers, one for each marked line, such as {example}."
        case Form.NUMERIC:
            return "Type a number, such as 12 or 12.5 or 3/8."
        case Form.SINGLE:
            return f"Type one letter, {known[0]} to {known[-1]}."
        case Form.MULTIPLE:
            return f"Type every right letter, such as {known[0]}{known[-1]}."
        case _:
            return f"Type all letters in order, such as {known[::-1]}."


def _number(drawn: Drawn, text: str) -> float:
    unit = drawn.quiz.numeric.unit.values() if drawn.quiz.numeric else ()
    stripped = text.strip()
    for ending in sorted(("%", *unit), key=len, reverse=True):
        if ending and stripped.lower().endswith(ending.lower()):
            stripped = stripped[: -len(ending)].strip()
            break
    number = read_number(stripped)
    if number is None:
        raise UsageError(f"{text.strip()!r} is no number", hint=expected(drawn))
    return number


def costs_of(drawn: Drawn) -> tuple[int, ...]:
    """The right numbers of an analysis, line by line; empty for other questions."""
    return drawn.quiz.analysis.costs if drawn.quiz.analysis else ()


def _numbers(drawn: Drawn, text: str) -> tuple[int, ...]:
    words = text.replace(",", " ").replace(";", " ").split()
    if len(words) != len(costs_of(drawn)) or not all(w.isdecimal() and len(w) < 10 for w in words):
        raise UsageError(f"{text.strip()!r} is no answer", hint=expected(drawn))
    return tuple(int(word) for word in words)


def judge(drawn: Drawn, answer: Answer) -> Judgement:
    """`answer` as `parse_answer` gives it."""
    if isinstance(answer, float | int):
        right, remarks = _judge_number(drawn, float(answer))
    elif drawn.form is Form.LINES:
        right, remarks = answer == costs_of(drawn), _about_lines(drawn, answer)
    elif drawn.form is Form.ORDERING:
        right, remarks = answer == drawn.solution, ()
    else:
        right, remarks = set(answer) == set(drawn.solution), _about_options(drawn, answer)
    return Judgement(right, solution(drawn), remarks, drawn.quiz.explanation)


def solution(drawn: Drawn) -> str:
    """The right answer as one would type it: letters, or the number."""
    numeric = drawn.quiz.numeric
    if drawn.form is Form.LINES:
        return " ".join(map(str, costs_of(drawn)))
    if numeric is not None:
        return write_number(numeric.value)
    return "".join(LETTERS[i] for i in drawn.solution)


def _judge_number(drawn: Drawn, number: float) -> tuple[bool, tuple[Remark, ...]]:
    numeric = drawn.quiz.numeric
    if numeric is None:
        raise UsageError("this question is not answered by a number", hint=expected(drawn))
    if numeric.accepts(number):
        return True, ()
    whys = (m.why for m in numeric.mistakes if numeric.accepts(number, m.value))
    return False, tuple(Remark("", False, why) for why in whys)


def _about_lines(drawn: Drawn, answer: tuple[int, ...]) -> tuple[Remark, ...]:
    """The lines that were answered wrong."""
    return tuple(
        Remark(str(mark), False, {"en": f"it is {cost}, not {said}", "zh": f"应为 {cost}，而不是 {said}"})
        for mark, (said, cost) in enumerate(zip(answer, costs_of(drawn), strict=True), 1)
        if said != cost
    )


def _about_options(drawn: Drawn, chosen: tuple[int, ...]) -> tuple[Remark, ...]:
    """Chosen options and right ones that were missed, as far as there is something to say."""
    told: list[tuple[int, Option]] = [
        (i, option) for i, option in enumerate(drawn.options) if i in chosen or option.correct
    ]
    return tuple(Remark(LETTERS[i], o.correct, o.why) for i, o in told if o.why is not None)
