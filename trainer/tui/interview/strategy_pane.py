"""A strategy question in an interview: numbers and words; its points stay shut until the end."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.timer import Timer
from textual.widgets import Input, TextArea

from trainer.tui.interview.pane import Pane
from trainer.tui.widgets.number_row import NumberRow
from trainer.tui.widgets.prose import Prose
from trainer.tui.widgets.words import Words

KEEP_S = 0.7
"""What is typed is at most this long nowhere but in memory."""


class StrategyPane(Pane):
    how = "Tab from field to field; Escape, then H hands in: follow-ups come"

    _timer: Timer | None = None

    def compose(self) -> ComposeResult:
        strategy = self.question.strategy
        with VerticalScroll(id="quiz"):
            yield Prose(self.dojo.services.text(self.question.statement), id="prompt")
            for number, asked in enumerate(strategy.numbers if strategy else (), 1):
                yield NumberRow(asked, self.language, f"{number}. ")
            yield Words(id="words")

    def on_mount(self) -> None:
        for number, row in enumerate(self.query(NumberRow)):
            row.field.value = self.answer.fields.get(f"number.{number}", "")
        self.query_one(Words).load_text(self.answer.fields.get("words", ""))

    def focus_first(self) -> None:
        (self.query("Input").first() if self.query("Input") else self.query_one(Words)).focus(
            scroll_visible=False
        )

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _typing(self) -> None:
        if self._timer is None:
            self._timer = self.set_timer(KEEP_S, self.keep)

    def keep(self) -> None:
        self._timer = None
        fields = {f"number.{n}": row.typed for n, row in enumerate(self.query(NumberRow))}
        fields["words"] = self.query_one(Words).text
        self.desk.typed(self.asked.key, fields)
