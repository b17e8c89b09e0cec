from __future__ import annotations

from trainer.bank.model import Text
from trainer.bank.quiz import Mistake, Numeric, Provenance
from trainer.bank.strategy import Aspect, Discussion, Followup, NumberAsked, Point, QuizAsked, Strategy


def en(text: str) -> Text:
    return {"en": text}


def number(value: float = 4.8, unit: str = "TB/s", relative: float = 0.02) -> NumberAsked:
    answer = Numeric(value, en(unit), relative=relative, mistakes=(Mistake(3.35, en("That is an H100.")),))
    return NumberAsked(en("How fast?"), answer, en("The data sheet says so."))


def discussion(points: int = 2) -> Discussion:
    return Discussion(en("Why?"), tuple(en(f"reason {i}") for i in range(points)), en("Because."))


def strategy() -> Strategy:
    """Two numbers, four points of principle, two of evidence, three follow-ups (the first with an easier)."""
    aspects = (Aspect.SHAPES, Aspect.BOUND, Aspect.ACCESS, Aspect.TRADE_OFF, Aspect.WORK, Aspect.PROFILE)
    return Strategy(
        Provenance.DERIVED,
        en("Make it fast."),
        10,
        (number(), number(112, "us")),
        tuple(Point(aspect, en(f"says {aspect.value}")) for aspect in aspects),
        en("Like this."),
        (
            Followup(discussion(), (Followup(number(2, "times")),)),
            Followup(QuizAsked("float4-on-a-vector-add")),
            Followup(discussion(3)),
        ),
    )
