"""A number that a strategy question asks for: what it is, a field, and afterwards whether it was right."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from trainer.bank.model import localized
from trainer.bank.strategy import NumberAsked
from trainer.strategy.judge import NumberResult, parse_number
from trainer.tui.text import assemble, lines, plain


class NumberRow(Vertical):
    """Units may be typed, too, so that the field takes any text."""

    def __init__(self, asked: NumberAsked, language: str, label: str = "") -> None:
        super().__init__()
        self._asked, self._language, self._label = asked, language, label

    def compose(self) -> ComposeResult:
        unit = localized(self._asked.answer.unit, self._language)
        ask = localized(self._asked.ask, self._language)
        yield Static(assemble((self._label, "bold $accent"), ask), classes="number-ask")
        with Horizontal():
            yield Input(placeholder=unit or "a number", compact=True)
            yield Static("", classes="number-told")
        yield Static("", classes="number-why")

    @property
    def field(self) -> Input:
        return self.query_one(Input)

    @property
    def typed(self) -> str:
        return self.field.value.strip()

    def read(self) -> float | None:
        """The number; None where there is none. Raises UsageError for what is no such number."""
        return parse_number(self._asked, self.typed)

    def advise(self, text: str) -> None:
        self.query_one(".number-told", Static).update(plain(text, "$text-warning"))
        self.field.focus()

    @on(Input.Changed)
    def _typing(self) -> None:
        self.query_one(".number-told", Static).update("")

    def reveal(self, result: NumberResult) -> None:
        self.field.disabled = True
        unit = localized(self._asked.answer.unit, self._language)
        said = "✗ no answer" if result.value is None else "✓ right" if result.right else "✗ not right"
        style = "bold $text-success" if result.right else "bold $text-error"
        told = assemble((said, style), f"   {self._asked.answer.value:.4g} {unit}".rstrip())
        self.query_one(".number-told", Static).update(told)
        rows: list[Content | str] = []
        if result.remark is not None:
            rows.append(plain(localized(result.remark, self._language), "$text-warning"))
        rows.append(plain(localized(self._asked.why, self._language), "$foreground-muted"))
        why = self.query_one(".number-why", Static)
        why.update(lines(*rows))
        why.display = True
