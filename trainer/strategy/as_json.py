"""A strategy question, its follow-ups and a judgement as plain data, in one language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainer.bank.model import Question, Text, localized
from trainer.bank.strategy import Discussion, Followup, NumberAsked, QuizAsked
from trainer.strategy.judge import Judgement


def strategy_json(question: Question, language: str) -> dict[str, Any]:
    """Everything there is to a question, the right numbers and the model answer included."""
    strategy = question.strategy
    if strategy is None:
        raise ValueError(f"{question.id} is no strategy question")
    return {
        "id": question.id,
        "topic": question.topic,
        "level": question.level,
        "title": localized(question.title, language),
        "source": strategy.provenance.value,
        "gpu": strategy.gpu,
        "minutes": strategy.minutes,
        "prompt": localized(strategy.prompt, language),
        "givens": dict(strategy.givens),
        "numbers": [_number(asked, language) for asked in strategy.numbers],
        "points": [
            {"aspect": point.aspect.value, "text": localized(point.text, language)}
            for point in strategy.points
        ],
        "answer": localized(strategy.answer, language),
        "followups": followups_json(strategy.followups, language),
    }


def followups_json(line: Sequence[Followup], language: str) -> list[dict[str, Any]]:
    """A tree of follow-ups; "form" says which of "quiz", "number" and "discussion" each is."""
    return [
        {**_item(followup, language), "otherwise": followups_json(followup.otherwise, language)}
        for followup in line
    ]


def judgement_json(judgement: Judgement, language: str) -> dict[str, Any]:
    went = judgement.walk
    numbers = [
        {"value": result.value, "right": result.right, "remark": _maybe(result.remark, language)}
        for result in judgement.numbers
    ]
    return {
        "level": judgement.level.value,
        "score": judgement.score,
        "earned": judgement.earned,
        "possible": judgement.possible,
        "numbers": numbers,
        "ticked": list(judgement.ticked),
        "followups": {
            "asked": went.asked,
            "passed": went.passed,
            "depth": went.depth,
            "length": went.length,
        },
    }


def _item(followup: Followup, language: str) -> dict[str, Any]:
    item = followup.item
    if isinstance(item, QuizAsked):
        return {"form": "quiz", "id": item.id}
    if isinstance(item, Discussion):
        return {
            "form": "discussion",
            "ask": localized(item.ask, language),
            "points": [localized(point, language) for point in item.points],
            "answer": localized(item.answer, language),
        }
    return {"form": "number", **_number(item, language)}


def _number(asked: NumberAsked, language: str) -> dict[str, Any]:
    answer = asked.answer
    return {
        "ask": localized(asked.ask, language),
        "value": answer.value,
        "unit": localized(answer.unit, language),
        "formula": asked.formula,
        "absolute": answer.absolute,
        "relative": answer.relative,
        "mistakes": [{"value": m.value, "why": localized(m.why, language)} for m in answer.mistakes],
        "why": localized(asked.why, language),
    }


def _maybe(text: Text | None, language: str) -> str | None:
    return None if text is None else localized(text, language)
