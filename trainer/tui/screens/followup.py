"""One follow-up of an interviewer: a quiz, a number, or a question answered in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Button, Static

from trainer.bank.model import Question
from trainer.bank.strategy import Discussion, NumberAsked, QuizAsked
from trainer.errors import UsageError, WarpDojoError
from trainer.quiz.draw import Drawn, draw
from trainer.quiz.judge import expected, judge, parse_answer
from trainer.strategy.answer import FollowupAnswer
from trainer.strategy.judge import judge_number, passed
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import plain
from trainer.tui.views.judgement import judgement_text
from trainer.tui.widgets.answer import AnswerArea
from trainer.tui.widgets.number_row import NumberRow
from trainer.tui.widgets.options import QuizOptions
from trainer.tui.widgets.points import PointList
from trainer.tui.widgets.prose import Prose
from trainer.tui.widgets.words import Words

Item = QuizAsked | NumberAsked | Discussion
Done = Callable[[FollowupAnswer | None], None]


class FollowupScreen(DojoScreen):
    """Calls `done` with the answer when it is left, with None where there was none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "hand_in", "Hand in", id="followup.hand_in", tooltip="Show what a good answer says"),
        Binding("enter", "go", "Go on", id="followup.go", priority=True, tooltip="Answer, then go on"),
        Binding("escape", "back", "Enough", id="followup.back", tooltip="No more follow-ups"),
    ]

    def __init__(self, question: Question, item: Item, easier: bool, done: Done) -> None:
        super().__init__()
        self.question, self.item, self.easier = question, item, easier
        self.answer: FollowupAnswer | None = None
        self._done = done
        self._drawn: Drawn | None = None
        self._revealed = False

    @property
    def crumbs(self) -> tuple[str, ...]:
        return (self.question.topic, self.services.text(self.question.title), "follow-up")

    def compose_body(self) -> ComposeResult:
        head = "An easier one" if self.easier else "Follow-up"
        yield Static(plain(head, "bold $accent"), id="quiz-head")
        with VerticalScroll(id="quiz"):
            yield from self._compose_item()
            yield Static(id="judgement")
            yield Prose(id="explanation")
            with Vertical(id="points-part"):
                yield Static(plain("Which of these did you say?", "bold $accent"))
                yield PointList(id="points")
        yield Static(id="quiz-how")

    def _compose_item(self) -> ComposeResult:
        match self.item:
            case NumberAsked():
                yield NumberRow(self.item, self.services.language)
            case Discussion():
                yield Prose(self.services.text(self.item.ask), id="prompt")
                yield Words(id="words")
                yield Button("F5  Hand in", id="hand-in", compact=True)
            case QuizAsked():
                yield Prose(id="prompt")
                yield AnswerArea(id="answer")

    async def on_mount(self) -> None:
        self.query_one("#points-part").display = False
        if isinstance(self.item, QuizAsked):
            await self._ask_quiz(self.item)
        else:
            self.query_one("Input" if isinstance(self.item, NumberAsked) else Words).focus()
        words = "F5 hands in" if isinstance(self.item, Discussion) else "Enter answers"
        self._say(f"{words}; Escape asks no more")

    async def _ask_quiz(self, item: QuizAsked) -> None:
        try:
            self._drawn = draw(self.services.library.question(item.id), 0)
        except WarpDojoError as problem:
            self.tell(str(problem), severity="error")
            return
        await self.query_one("#prompt", Prose).update(self.services.text(self._drawn.quiz.prompt))
        await self.query_one(AnswerArea).ask(self._drawn, self.services.language)

    def _say(self, text: str) -> None:
        self.query_one("#quiz-how", Static).update(plain(text, "$foreground-muted"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        in_words = isinstance(self.item, Discussion)
        if action == "hand_in":
            return in_words and not self._revealed
        if action == "go":
            return self._revealed or not in_words
        return True

    # Answering

    @on(Button.Pressed, "#hand-in")
    def _pressed(self) -> None:
        self.action_hand_in()

    @on(QuizOptions.Picked)
    async def _picked(self) -> None:
        if self._drawn is not None and len(self._drawn.solution) == 1 and not self._revealed:
            await self.action_go()

    def action_hand_in(self) -> None:
        assert isinstance(self.item, Discussion)
        self.query_one(Words).read_only = True
        self.query_one("#hand-in").display = False
        self.query_one("#points-part").display = True
        points = self.query_one(PointList)
        points.show([("", self.services.text(point)) for point in self.item.points])
        self.query_one("#judgement", Static).update(plain("A good answer", "bold $accent"))
        self.run_worker(
            self.query_one("#explanation", Prose).update(self.services.text(self.item.answer)),
            group="prose", exit_on_error=False,
        )  # fmt: skip
        self._reveal("tick what you said, by number, space or mouse; Enter goes on")
        points.focus()

    def _reveal(self, how: str) -> None:
        self._revealed = True
        self._say(how)
        self.refresh_bindings()

    async def action_go(self) -> None:
        if self._revealed:
            self._close()
        elif isinstance(self.item, NumberAsked):
            self._answer_number(self.item)
        elif self._drawn is not None and not self.query_one(AnswerArea).goes_on():
            await self._answer_quiz(self._drawn)

    def _answer_number(self, item: NumberAsked) -> None:
        row = self.query_one(NumberRow)
        try:
            value = row.read()
        except UsageError as problem:
            row.advise(problem.hint or problem.message)
            return
        if value is None:
            row.advise("Type a number first.")
            return
        result = judge_number(item, value)
        row.reveal(result)
        self.answer = FollowupAnswer(row.typed, result.right)
        self._reveal("Enter goes on")

    async def _answer_quiz(self, drawn: Drawn) -> None:
        area = self.query_one(AnswerArea)
        try:
            judgement = judge(drawn, parse_answer(drawn, area.typed))
        except UsageError as problem:
            told = plain(area.missing or problem.hint or expected(drawn), "$text-warning")
            self.query_one("#judgement", Static).update(told)
            return
        self.answer = FollowupAnswer(area.typed, judgement.right)
        area.reveal(judgement)
        text = judgement_text(judgement, drawn, area.typed, self.services.language)
        self.query_one("#judgement", Static).update(text)
        await self.query_one("#explanation", Prose).update(self.services.text(judgement.explanation))
        self._reveal("Enter goes on")
        self.query_one("#quiz").focus()
        self.query_one("#quiz").scroll_to_widget(self.query_one("#judgement"), animate=False)

    def _close(self) -> None:
        if isinstance(self.item, Discussion):
            ticked = self.query_one(PointList).ticked
            text = self.query_one(Words).text.strip()
            self.answer = FollowupAnswer(text, passed(self.item, ticked), ticked)
        self.action_back()

    def action_back(self) -> None:
        super().action_back()
        self.app.call_later(self._done, self.answer)
