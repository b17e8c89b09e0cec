"""The fields of a strategy question, and of the follow-ups that kernel tasks have in files of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from trainer.bank import expressions
from trainer.bank.quiz import Analysis, Provenance
from trainer.bank.schema_analysis import analysis_of, code_of
from trainer.bank.schema_quiz import numeric, same
from trainer.bank.source import Value, read
from trainer.bank.strategy import (
    Aspect,
    Discussion,
    Followup,
    NumberAsked,
    Point,
    QuizAsked,
    Strategy,
)
from trainer.errors import ContentError

_REQUIRED = (
    "kind", "level", "title", "source", "statement", "minutes", "numbers", "points", "answer",
)  # fmt: skip
_OPTIONAL = ("givens", "gpu", "followups", "exhibit")
_EXHIBIT = ("kernel", "measure", "grid", "block", "floats", "answers")
_COUNTED = {
    "en": ("The simulator counts at the marked lines", "{} {} at {}", " a request"),
    "zh": ("模拟器在标记行上的计数", "第 {2} 行 {0} {1}", "/请求"),
}
_NUMBER = ("ask", "answer", "why")
_DISCUSSION = ("ask", "points", "answer")
_RELATIVE = 0.05
"""How far an estimate may be off where the file does not say."""

Givens = Mapping[str, float]


def fields_of(value: Value) -> dict[str, Value]:
    return value.fields((*_REQUIRED, *_OPTIONAL), required=_REQUIRED)


def strategy_of(fields: Mapping[str, Value]) -> Strategy:
    givens = _givens(fields)
    minutes = fields["minutes"].integer()
    if not 1 <= minutes <= 60:
        fields["minutes"].fail("should be from 1 to 60")
    prompt, exhibit = fields["statement"].text(), None
    if "exhibit" in fields:
        shown = fields["exhibit"].fields((*_EXHIBIT, "n"), required=_EXHIBIT)
        exhibit = analysis_of(shown)
        prompt = {
            key: f"{text}\n\n{code_of(shown)}\n\n{_counts(exhibit, key)}" for key, text in prompt.items()
        }
    strategy = Strategy(
        provenance=Provenance(fields["source"].choice(list(Provenance))),
        prompt=prompt,
        minutes=minutes,
        numbers=tuple(_number(item, givens) for item in fields["numbers"].items()),
        points=tuple(_point(item) for item in fields["points"].items()),
        answer=fields["answer"].text(),
        followups=_line(fields["followups"], givens) if "followups" in fields else (),
        givens=givens,
        gpu=fields["gpu"].string() if "gpu" in fields else None,
        exhibit=exhibit,
    )
    _check_used(fields)
    return strategy


def _counts(exhibit: Analysis, language: str) -> str:
    """What an exhibit's counters say, line by line."""
    start, line, a_request = _COUNTED.get(language, _COUNTED["en"])
    unit = exhibit.measure.unit + (a_request if exhibit.measure.space else "")
    return (
        f"{start}: {', '.join(line.format(cost, unit, mark) for mark, cost in enumerate(exhibit.costs, 1))}."
    )


def read_followups(path: Path) -> tuple[Followup, ...]:
    """The follow-ups of a file questions/followups/<name>.yaml. Raises ContentError."""
    fields = read(path).fields(("followups", "givens"), required=("followups",))
    line = _line(fields["followups"], _givens(fields))
    _check_used(fields)
    return line


def _givens(fields: Mapping[str, Value]) -> Givens:
    """Numbers by name."""
    given = fields["givens"].fields() if "givens" in fields else {}
    for name, value in given.items():
        if not name.isidentifier():
            value.fail(f"{name!r} is no name", "Names are made of letters, digits and underscores.")
    return {name: value.number() for name, value in given.items()}


def _check_used(fields: Mapping[str, Value]) -> None:
    """What is given is there for some formula. Called once formulas are known to be sound."""
    if "givens" in fields:
        used = set[str]().union(
            *(_names_in(fields[key]) for key in ("numbers", "followups") if key in fields)
        )
        for name, value in fields["givens"].fields().items():
            if name not in used:
                value.fail(f"no formula uses {name!r}")


def _names_in(value: Value) -> set[str]:
    """The names in every `value:` at or below a node."""
    if value.is_list:
        return set[str]().union(*(_names_in(item) for item in value.items()))
    if not value.is_mapping:
        return set()
    found = set[str]()
    for key, item in value.fields().items():
        if key == "value":
            found |= expressions.names_in(item.formula())
        else:
            found |= _names_in(item)
    return found


def _number(value: Value, givens: Givens) -> NumberAsked:
    fields = value.fields((*_NUMBER, "otherwise"), required=_NUMBER)
    stated = fields["answer"].fields()
    if "value" not in stated:
        fields["answer"].fail("'value' is missing")

    def evaluated(item: Value) -> float:
        try:
            return expressions.evaluate_real(item.formula(), givens)
        except ContentError as error:
            item.fail(error.message, error.hint)

    answer = numeric(fields["answer"], evaluated, relative=_RELATIVE)
    return NumberAsked(fields["ask"].text(), answer, fields["why"].text(), stated["value"].formula())


def _point(value: Value) -> Point:
    """Written `bound: It is memory-bound.`"""
    fields = value.fields(list(Aspect))
    if len(fields) != 1:
        value.fail("should be one aspect and its text, such as `bound: ...`")
    aspect, text = next(iter(fields.items()))
    return Point(Aspect(aspect), text.text())


def _line(value: Value, givens: Givens) -> tuple[Followup, ...]:
    items = value.items()
    if not items:
        value.fail("should have at least one question")
    return tuple(_followup(item, givens) for item in items)


def _followup(value: Value, givens: Givens) -> Followup:
    if not value.is_mapping:
        return Followup(QuizAsked(value.string()))
    fields = value.fields()
    otherwise = _line(fields["otherwise"], givens) if "otherwise" in fields else ()
    if "quiz" in fields:
        value.fields(("quiz", "otherwise"))
        return Followup(QuizAsked(fields["quiz"].string()), otherwise)
    if "points" in fields:
        return Followup(_discussion(value), otherwise)
    return Followup(_number(value, givens), otherwise)


def _discussion(value: Value) -> Discussion:
    fields = value.fields((*_DISCUSSION, "otherwise"), required=_DISCUSSION)
    items = fields["points"].items()
    points = tuple(item.text() for item in items)
    if not points:
        fields["points"].fail("should have at least one point")
    for number, (item, point) in enumerate(zip(items, points, strict=True)):
        if any(same(point, earlier) for earlier in points[:number]):
            item.fail("there is an equal point before this one")
    return Discussion(fields["ask"].text(), points, fields["answer"].text())
