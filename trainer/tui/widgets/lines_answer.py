"""One number for each marked line of a kernel, beside the line it is about."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from trainer.bank.quiz import Analysis
from trainer.tui.text import assemble, plain
from trainer.tui.views.memory import MarkedLine, marked_lines
from trainer.tui.widgets.code import code_line
from trainer.tui.widgets.number_input import NumberInput


class LineRow(Horizontal):
    """A mark, its line, a field, and afterwards what was right."""

    def __init__(self, line: MarkedLine, unit: str) -> None:
        super().__init__()
        self._line, self._unit = line, unit

    def compose(self) -> ComposeResult:
        code = code_line(self._line.code)
        yield Static(assemble((f"{self._line.mark}  ", "bold $accent"), code), classes="line-code")
        yield NumberInput(whole=True)
        yield Static(plain(self._unit, "$foreground-muted"), classes="line-told")

    @property
    def field(self) -> NumberInput:
        return self.query_one(NumberInput)

    def reveal(self, right: str) -> None:
        said = self.field.value.strip()
        self.field.disabled = True
        told = plain(f"✓ {self._unit}", "$text-success")
        if said != right:
            told = assemble((f"✗ {right} ", "bold $text-error"), (self._unit, "$foreground-muted"))
        self.query_one(".line-told", Static).update(told)


class LinesAnswer(Vertical):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Line before", id="quiz.line_up", show=False, tooltip="To the line before"),
        Binding(
            "down,space", "move(1)", "Next line", id="quiz.line_down", show=False, tooltip="To the next line"
        ),
    ]

    async def ask(self, analysis: Analysis) -> None:
        await self.remove_children()
        unit = analysis.measure.value
        await self.mount_all(LineRow(line, unit) for line in marked_lines(analysis))

    @property
    def rows(self) -> list[LineRow]:
        return list(self.query(LineRow))

    @property
    def typed(self) -> str:
        return " ".join(row.field.value.strip() or "?" for row in self.rows)

    def focus_next(self, *, scroll_visible: bool = True) -> bool:
        """To the first field that is empty; False where none is."""
        for row in self.rows:
            if not row.field.value.strip():
                row.field.focus(scroll_visible)
                return True
        return False

    def reveal(self, right: list[str]) -> None:
        for row, number in zip(self.rows, right, strict=False):
            row.reveal(number)

    def action_move(self, step: int) -> None:
        rows = self.rows
        at = next((i for i, row in enumerate(rows) if row.field.has_focus), 0)
        rows[max(0, min(at + step, len(rows) - 1))].field.focus()
