"""What an answer to a strategy question is worth, in words."""

from __future__ import annotations

from textual.content import Content

from trainer.strategy.judge import Judgement, Level
from trainer.strategy.record import summary
from trainer.tui.text import assemble, lines, plain

MEANINGS = {
    Level.A: ("the principle, with numbers and how to measure them", "$text-success"),
    Level.B: ("the principle; numbers or measurements are missing", "$text-success"),
    Level.C: ("parts of it, or not two follow-ups deep", "$text-warning"),
    Level.D: ("no answer", "$text-error"),
}


def outcome(judgement: Judgement, took_s: float, minutes: int) -> Content:
    """The level, what it is made of, and the time beside the time there was."""
    meaning, style = MEANINGS[judgement.level]
    _, _, parts = summary(judgement).partition(": ")
    took = f"{took_s / 60:.0f} of {minutes} minutes"
    return lines(
        assemble(("Level ", "bold"), (judgement.level.value, f"bold {style}"), f"  {meaning}"),
        plain(f"{parts}; score {judgement.score:.0f} of 100; {took}", "$foreground-muted"),
    )
