"""A quiz or an analysis in an interview: answered, changed at will, judged at the end."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Input

from trainer.quiz.draw import draw
from trainer.tui.interview.pane import Pane
from trainer.tui.widgets.answer import HOW, AnswerArea
from trainer.tui.widgets.options import QuizOptions
from trainer.tui.widgets.prose import Prose


class QuizPane(Pane):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Answer", id="interview.answer", priority=True, tooltip="Keep it and go on"),
    ]

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="quiz"):
            yield Prose(id="prompt")
            yield AnswerArea(id="answer")

    async def on_mount(self) -> None:
        drawn = draw(self.question, self.asked.seed)
        self.how = HOW[drawn.form]
        await self.query_one("#prompt", Prose).update(self.dojo.services.text(drawn.quiz.prompt))
        area = self.query_one(AnswerArea)
        await area.ask(drawn, self.language)
        area.restore(self.answer.fields.get("answer", ""))

    def focus_first(self) -> None:
        self.query_one(AnswerArea).focus_input()

    @on(QuizOptions.Paged)
    def _paged(self, event: QuizOptions.Paged) -> None:
        question = self.query_one("#quiz")
        question.scroll_relative(y=event.step * (question.size.height - 2), animate=False)

    @on(QuizOptions.Picked)
    @on(Input.Changed)
    def _typing(self) -> None:
        area = self.query_one(AnswerArea)
        if area.begun:
            self.desk.typed(self.asked.key, {"answer": area.typed})

    def action_go(self) -> None:
        area = self.query_one(AnswerArea)
        if area.goes_on():
            return
        self.desk.typed(self.asked.key, {"answer": area.typed})
        self.desk.next_question()
