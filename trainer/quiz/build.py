"""What templates are made of: texts in two languages, options from named misconceptions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainer.bank.model import Text
from trainer.bank.quiz import Form, Mistake, Numeric, Option, Picture, Proof, Quiz, Sample

WRONG_OPTIONS = 3
APART = 0.04
"""Options that are not whole numbers differ by more than this share."""


@dataclass(frozen=True)
class Wrong:
    """A number somebody might answer, and the misconception behind it."""

    value: float
    why: Text


def text(en: str, zh: str) -> Text:
    """English and Chinese; indentation of a first line that is code stays."""
    return {"en": en.strip("\n").rstrip(), "zh": zh.strip("\n").rstrip()}


def figure(value: float) -> str:
    """A number as options and explanations show it: whole, or to four digits."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def labelled(value: float, unit: Text) -> Text:
    """A number with its unit: "1 sector", "4 sectors", "50%"."""
    shown = {}
    for key, word in unit.items():
        if key == "en" and value == 1:
            word = word.removesuffix("s")
        shown[key] = f"{figure(value)}{'' if word in ('%', 'x', '') else ' '}{word}"
    return shown


def distinct(right: float, wrongs: Sequence[Wrong]) -> list[Wrong]:
    """The misconceptions that lead to a positive number that is neither right nor there already."""
    kept: list[Wrong] = []
    for wrong in wrongs:
        taken = [right, *(other.value for other in kept)]
        if wrong.value > 0 and all(_differ(wrong.value, other) for other in taken):
            kept.append(wrong)
    return kept


def _differ(a: float, b: float) -> bool:
    if float(a).is_integer() and float(b).is_integer():
        return a != b
    return abs(a - b) > APART * max(abs(a), abs(b))


def ask_number(
    rng: random.Random,
    prompt: Text,
    value: float,
    unit: Text,
    wrongs: Sequence[Wrong],
    explanation: Text,
    *,
    gpu: str | None = None,
    picture: Picture | None = None,
    sample: Sample | None = None,
    proof: Proof | None = None,
    parameters: Mapping[str, int | str] | None = None,
    relative: float = 0.0,
) -> Quiz:
    """A number to choose, or to type where fewer than two misconceptions lead to another one.

    `relative`: how far a typed number may be off; whole numbers have to be exact.
    """
    usable = distinct(value, wrongs)
    chosen = rng.sample(usable, min(WRONG_OPTIONS, len(usable)))
    shared = {
        "prompt": prompt, "explanation": explanation, "gpu": gpu, "picture": picture, "sample": sample,
        "proof": proof, "parameters": parameters or {},
    }  # fmt: skip
    if len(chosen) >= 2:
        options = (
            Option(labelled(value, unit), correct=True),
            *(Option(labelled(wrong.value, unit), why=wrong.why) for wrong in chosen),
        )
        return Quiz(form=Form.SINGLE, options=options, **shared)  # type: ignore[arg-type]
    mistakes = tuple(Mistake(wrong.value, wrong.why) for wrong in chosen)
    slack = 0.0 if float(value).is_integer() and abs(value) < 1000 else max(relative, 0.01)
    numeric = Numeric(value, unit, relative=slack, mistakes=mistakes)
    return Quiz(form=Form.NUMERIC, numeric=numeric, **shared)  # type: ignore[arg-type]


def ask_choice(
    prompt: Text,
    right: Text,
    wrongs: Sequence[tuple[Text, Text]],
    explanation: Text,
    *,
    why: Text | None = None,
    gpu: str | None = None,
    proof: Proof | None = None,
    parameters: Mapping[str, int | str] | None = None,
) -> Quiz:
    """Words to choose from: `wrongs` are options with the reason why each is wrong."""
    options = (Option(right, correct=True, why=why), *(Option(t, why=w) for t, w in wrongs))
    return Quiz(Form.SINGLE, prompt, explanation, options, gpu=gpu, proof=proof, parameters=parameters or {})
