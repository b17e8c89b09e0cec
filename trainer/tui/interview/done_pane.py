"""A question that was handed in: nothing can be changed, follow-ups can still come."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from trainer.bank.model import Question
from trainer.interview.plan import Asked
from trainer.interview.state import Answer
from trainer.strategy.walk import Walk
from trainer.tui.interview.pane import Desk, Pane
from trainer.tui.text import assemble, lines


class DonePane(Pane):
    can_focus = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Go on", id="interview.go_on", tooltip="The next follow-up, or question"),
    ]

    def __init__(
        self,
        asked: Asked,
        question: Question,
        answer: Answer,
        desk: Desk,
        walk: Walk,
        follow_up: Callable[[], None],
    ) -> None:
        super().__init__(asked, question, answer, desk)
        self._walk, self._follow_up = walk, follow_up
        self.how = "Enter: the next follow-up" if walk.next else "Enter: the next question"

    def compose(self) -> ComposeResult:
        rows = [assemble(("✓ handed in", "bold $text-success"), "  judged at the end")]
        if self._walk.length:
            rows.append(assemble(f"follow-ups asked: {self._walk.asked}"))
        with VerticalScroll(id="quiz", can_focus=False):
            yield Static(lines(*rows))

    def focus_first(self) -> None:
        self.focus()

    def action_go(self) -> None:
        if self._walk.next is not None:
            self._follow_up()
        else:
            self.desk.next_question()
