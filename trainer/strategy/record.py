"""An answered strategy question as an attempt in the history, which never forgets one."""

from __future__ import annotations

import json
from datetime import datetime

from trainer.bank.model import Question
from trainer.store.history import Attempt, History, fingerprint
from trainer.strategy.answer import Answer, answer_json
from trainer.strategy.judge import Judgement, Level

LANGUAGE = "strategy"
SOUND = (Level.A, Level.B)
"""Levels that count as accepted."""


def summary(judgement: Judgement) -> str:
    """One line: the level and what it is made of."""
    numbers = f"{sum(n.right for n in judgement.numbers)} of {len(judgement.numbers)} numbers"
    points = f"{sum(judgement.ticked)} of {len(judgement.ticked)} points"
    followups = f"{judgement.walk.passed} of {judgement.walk.asked} follow-ups"
    return f"level {judgement.level.value}: {numbers}, {points}, {followups}"


def record(question: Question, answer: Answer, judgement: Judgement, elapsed_s: float, at: datetime) -> None:
    """Append one answer whole, as JSON. Raises StoreError."""
    text = json.dumps(answer_json(answer), ensure_ascii=False)
    attempt = Attempt(
        task=question.id,
        language=LANGUAGE,
        backend="none",
        device="none",
        verdict="accepted" if judgement.level in SOUND else "wrong_answer",
        message=summary(judgement),
        seed=0,
        score=judgement.score,
        median_us=None,
        rung=None,
        elapsed_s=elapsed_s,
        at=at,
        source_sha256=fingerprint(text),
    )
    with History.open() as history:
        history.add(attempt, text)
