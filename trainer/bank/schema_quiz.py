"""The fields of a quiz file: a question as it stands, or the template that draws one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trainer.bank import expressions
from trainer.bank.model import Entry, Text
from trainer.bank.quiz import Form, Mistake, Numeric, Option, Picture, Provenance, Quiz, QuizFile
from trainer.bank.source import Value
from trainer.errors import ContentError

_ALWAYS = ("kind", "level", "title", "source")
_STATIC_REQUIRED = ("form", "statement", "explanation")
_STATIC = (*_STATIC_REQUIRED, "options", "answer", "gpu", "picture")
_OPTIONAL = ("followups", "hints")
_LANES = 32
_WIDTHS = (1, 2, 4, 8, 16)


def fields_of(value: Value) -> dict[str, Value]:
    """The fields of a quiz file, with `template` or with those of a question as it stands."""
    if "template" in value.fields():
        return value.fields((*_ALWAYS, *_OPTIONAL, "template"), required=(*_ALWAYS, "template"))
    return value.fields((*_ALWAYS, *_OPTIONAL, *_STATIC, "template"), required=(*_ALWAYS, *_STATIC_REQUIRED))


def quiz_file(fields: Mapping[str, Value], entry: Entry) -> QuizFile:
    provenance = Provenance(fields["source"].choice(list(Provenance)))
    followups = tuple(v.string() for v in fields["followups"].items()) if "followups" in fields else ()
    if "template" not in fields:
        return QuizFile(provenance, followups, quiz=_quiz(fields))
    name = fields["template"].string()
    path = entry.path.parent / name
    if "/" in name or not name.endswith(".py") or not path.is_file():
        fields["template"].fail(f"there is no Python file {name!r} beside the question")
    return QuizFile(provenance, followups, template=path)


def _quiz(fields: Mapping[str, Value]) -> Quiz:
    form = Form(fields["form"].choice(list(Form)))
    wanted, other = ("answer", "options") if form is Form.NUMERIC else ("options", "answer")
    if other in fields:
        fields[other].fail(f"a question of form {form.value!r} has {wanted!r} instead")
    if wanted not in fields:
        fields["form"].fail(f"a question of form {form.value!r} needs {wanted!r}")
    return Quiz(
        form=form,
        prompt=fields["statement"].text(),
        explanation=fields["explanation"].text(),
        options=_options(fields["options"], form) if "options" in fields else (),
        numeric=numeric(fields["answer"]) if "answer" in fields else None,
        gpu=fields["gpu"].string() if "gpu" in fields else None,
        picture=_picture(fields["picture"]) if "picture" in fields else None,
    )


def _options(value: Value, form: Form) -> tuple[Option, ...]:
    items = value.items()
    if form is Form.ORDERING:
        options = [Option(item.text(), correct=True) for item in items]
    else:
        options = [_option(item) for item in items]
    if len(options) < 2:
        value.fail("should be at least two")
    right = sum(option.correct for option in options)
    if form is Form.SINGLE and right != 1:
        value.fail(f"{right} options are correct; one should be")
    if right == 0:
        value.fail("no option is correct")
    for number, (item, option) in enumerate(zip(items, options, strict=True)):
        if any(same(option.text, earlier.text) for earlier in options[:number]):
            item.fail("there is an equal option before this one")
    return tuple(options)


def _option(value: Value) -> Option:
    fields = value.fields(("text", "correct", "why"), required=("text",))
    correct = "correct" in fields and fields["correct"].boolean()
    why = fields["why"].text() if "why" in fields else None
    if not correct and why is None:
        value.fail("'why' is missing", "A wrong option says why it is wrong.")
    return Option(fields["text"].text(), correct, why)


def same(a: Text, b: Text) -> bool:
    """Whether two texts are the same to a reader in some language: letter case and spaces aside."""
    return any(_plain(a[key]) == _plain(b[key]) for key in a.keys() & b.keys())


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()


def numeric(value: Value, number: Callable[[Value], float] = Value.number, relative: float = 0.0) -> Numeric:
    """`number` reads a value or that of a mistake; `relative` holds where the file gives no tolerance."""
    fields = value.fields(("value", "unit", "absolute", "relative", "mistakes"), required=("value",))
    bounds = {key: fields[key].number() if key in fields else 0.0 for key in ("absolute", "relative")}
    for key, bound in bounds.items():
        if not 0 <= bound < (1 if key == "relative" else float("inf")):
            fields[key].fail("should be at least 0" + (" and below 1" if key == "relative" else ""))
    if not any(key in fields for key in bounds):
        bounds["relative"] = relative
    mistakes = fields["mistakes"].items() if "mistakes" in fields else []
    wanted = Numeric(
        number(fields["value"]),
        fields["unit"].text() if "unit" in fields else {"en": ""},
        bounds["absolute"],
        bounds["relative"],
        tuple(_mistake(item, number) for item in mistakes),
    )
    for item, mistake in zip(mistakes, wanted.mistakes, strict=True):
        if wanted.accepts(mistake.value):
            item.fail("this mistake would be accepted as right")
    return wanted


def _mistake(value: Value, number: Callable[[Value], float]) -> Mistake:
    fields = value.fields(("value", "why"), required=("value", "why"))
    return Mistake(number(fields["value"]), fields["why"].text())


def _picture(value: Value) -> Picture:
    """`address`: bytes, as an expression over the lane t."""
    keys = ("space", "address", "width", "store")
    fields = value.fields(keys, required=("space", "address", "width"))
    width = fields["width"].integer()
    if width not in _WIDTHS:
        fields["width"].fail(f"should be one of {', '.join(map(str, _WIDTHS))}")
    expression = fields["address"].expression()
    try:
        addresses = tuple(expressions.evaluate(expression, {"t": t}) for t in range(_LANES))
    except ContentError as error:
        fields["address"].fail(error.message, error.hint)
    if min(addresses) < 0 or any(a % width for a in addresses):
        fields["address"].fail(f"should be multiples of {width} from 0")
    space = fields["space"].choice(("global", "shared"))
    return Picture(space, addresses, width, "store" in fields and fields["store"].boolean())
