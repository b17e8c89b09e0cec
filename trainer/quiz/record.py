"""An answered quiz as an attempt in the history, which never forgets one."""

from __future__ import annotations

from datetime import UTC, datetime

from trainer.quiz.draw import Drawn
from trainer.quiz.judge import Judgement
from trainer.store.history import Attempt, History, fingerprint

LANGUAGE = "quiz"


def record(drawn: Drawn, answer: str, judgement: Judgement, elapsed_s: float) -> None:
    """Append one answer, as it was typed. `seed` draws the same question again. Raises StoreError."""
    attempt = Attempt(
        task=drawn.question.id,
        language=LANGUAGE,
        backend="none",
        device="none",
        verdict="accepted" if judgement.right else "wrong_answer",
        message="" if judgement.right else f"answered {answer}, right is {judgement.solution}",
        seed=drawn.seed,
        score=100.0 if judgement.right else 0.0,
        median_us=None,
        rung=None,
        elapsed_s=elapsed_s,
        at=datetime.now(UTC),
        source_sha256=fingerprint(answer),
    )
    with History.open() as history:
        history.add(attempt, answer)
