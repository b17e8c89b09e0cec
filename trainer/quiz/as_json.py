"""A drawn question as plain data, in one language."""

from __future__ import annotations

from typing import Any

from trainer.bank.model import localized
from trainer.quiz.draw import LETTERS, Drawn
from trainer.quiz.judge import costs_of, solution
from trainer.quiz.picture import cost_of


def drawn_json(drawn: Drawn, language: str) -> dict[str, Any]:
    """Everything there is to a question, its solution included."""
    quiz, question = drawn.quiz, drawn.question
    file = question.quiz
    return {
        "id": question.id,
        "topic": question.topic,
        "level": question.level,
        "title": localized(question.title, language),
        "form": quiz.form.value,
        "seed": drawn.seed,
        "prompt": localized(quiz.prompt, language),
        "options": [
            {
                "letter": LETTERS[i],
                "text": localized(option.text, language),
                "correct": option.correct,
                "why": localized(option.why, language) if option.why else None,
            }
            for i, option in enumerate(drawn.options)
        ],
        "solution": solution(drawn),
        "numeric": _numeric(drawn, language),
        "lines": list(costs_of(drawn)) or None,
        "explanation": localized(quiz.explanation, language),
        "source": file.provenance.value if file else None,
        "gpu": quiz.gpu,
        "followups": list(file.followups) if file else [],
        "picture": _picture(drawn),
        "parameters": dict(quiz.parameters),
    }


def _numeric(drawn: Drawn, language: str) -> dict[str, Any] | None:
    numeric = drawn.quiz.numeric
    if numeric is None:
        return None
    return {
        "value": numeric.value,
        "unit": localized(numeric.unit, language),
        "absolute": numeric.absolute,
        "relative": numeric.relative,
        "mistakes": [{"value": m.value, "why": localized(m.why, language)} for m in numeric.mistakes],
    }


def _picture(drawn: Drawn) -> dict[str, Any] | None:
    picture = drawn.quiz.picture
    if picture is None:
        return None
    return {
        "space": picture.space,
        "addresses": list(picture.addresses),
        "bytes_per_lane": picture.width,
        "active": picture.active,
        "store": picture.store,
        "cost": cost_of(picture),
    }
