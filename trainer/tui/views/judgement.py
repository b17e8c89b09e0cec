"""Whether the answer to a quiz was right, and what there is to say about each option."""

from __future__ import annotations

from trainer.bank.model import localized
from trainer.bank.quiz import Form
from trainer.quiz.draw import Drawn
from trainer.quiz.judge import Judgement
from trainer.tui.text import assemble, hung, lines
from trainer.tui.widgets.fitted import Fitted


def judgement_text(judgement: Judgement, drawn: Drawn, typed: str, language: str) -> Fitted:
    """`typed` is what was answered: an order would be forgotten by the time the right one is read."""
    first = ("✓ right", "bold $text-success") if judgement.right else ("✗ not right", "bold $text-error")
    own = f", yours was {typed}" if drawn.form is Form.ORDERING and not judgement.right else ""
    rows = [(assemble(first, (f"   the answer is {judgement.solution}{own}", "$foreground-muted")), 2)]
    # Lines are judged beside their fields.
    for remark in () if drawn.form is Form.LINES else judgement.remarks:
        sign = "✓" if remark.correct else "✗"
        style = "$text-success" if remark.correct else "$text-error"
        label = f"{sign} {remark.letter}  " if remark.letter else f"{sign} "
        rows.append((assemble((label, style), localized(remark.text, language)), len(label)))
    return Fitted(lambda width: lines(*(hung(row, width, indent) for row, indent in rows)))
