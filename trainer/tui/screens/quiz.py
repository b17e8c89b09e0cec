"""Quizzes: a question, an answer, why, and the picture of what the hardware does."""

from __future__ import annotations

import random
import time
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Markdown, Static

from trainer.bank.quiz import TYPED, Form
from trainer.errors import UsageError, WarpDojoError
from trainer.quiz.draw import LETTERS, Drawn, draw
from trainer.quiz.judge import Judgement, expected, parse_answer
from trainer.quiz.picture import draw_picture
from trainer.quiz.record import record
from trainer.quiz.session import Session
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import assemble, lines, plain
from trainer.tui.views.memory import shaded
from trainer.tui.widgets.options import QuizOptions

ROOMY = 30
"""Rows from which the question stays in sight above its answer."""

_HOW = {
    Form.SINGLE: "a letter or a click answers",
    Form.MULTIPLE: "pick every right one, Enter answers",
    Form.ORDERING: "pick them in order, Enter answers, Backspace takes back",
    Form.NUMERIC: "type a number, Enter answers",
    Form.LINES: "type a number for each marked line, Enter answers",
}


class NumberInput(Input):
    """Takes what numbers are made of; letters stay keys of the screen."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and (character.isdigit() or character in "-+.,eE/_' %")


class QuizScreen(DojoScreen):
    """A session of quizzes. `v` puts the same template with new numbers on top of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Answer / next", id="quiz.go", priority=True, tooltip="Answer, then go on"),
        Binding("s", "skip", "Skip", id="quiz.skip", priority=True, tooltip="It comes back later"),
        Binding("v", "vary", "Vary", id="quiz.vary", priority=True, tooltip="The same with new numbers"),
        Binding("escape", "back", "Back", id="quiz.back", tooltip="End the quiz"),
    ]

    def __init__(self, questions: list[Drawn]) -> None:
        super().__init__()
        self._sessions = [Session(questions)]
        self.drawn: Drawn | None = None
        self.judgement: Judgement | None = None
        self._asked_at = 0.0

    @property
    def session(self) -> Session:
        """The one on top: the whole quiz, or one varied question."""
        return self._sessions[-1]

    @property
    def crumbs(self) -> tuple[str, ...]:
        return ("quiz",)

    def compose_body(self) -> ComposeResult:
        yield Static(id="quiz-head")
        with VerticalScroll(id="quiz"):
            yield Markdown(id="prompt", open_links=False)
            yield QuizOptions(id="options")
            yield NumberInput(id="number", compact=True, restrict=r"[-+\d.,eE/_' %]*")
            yield Static(id="judgement")
            yield Markdown(id="explanation", open_links=False)
            yield Static(id="quiz-picture", classes="code-text")
        yield Static(id="quiz-how")

    async def on_mount(self) -> None:
        await self._ask()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "skip":
            return self.drawn is not None and self.judgement is None
        if action == "vary":
            return self._varies()
        return True

    def _varies(self) -> bool:
        quiz = self.drawn.question.quiz if self.drawn else None
        return self.judgement is not None and quiz is not None and quiz.template is not None

    async def _ask(self) -> None:
        """The next question; where a varied one is done, the quiz below goes on."""
        while len(self._sessions) > 1 and self.session.current is None:
            self._sessions.pop()
        self.drawn, self.judgement = self.session.current, None
        self.refresh_bindings()
        if self.drawn is None:
            self._show_outcomes()
            return
        self._asked_at = time.monotonic()
        await self.query_one("#prompt", Markdown).update(self.services.text(self.drawn.quiz.prompt))
        await self.query_one("#explanation", Markdown).update("")
        self._show_head(self.drawn)
        self._show_input(self.drawn)
        for name in ("#judgement", "#quiz-picture"):
            self.query_one(name, Static).update("")
        self.query_one("#quiz").scroll_home(animate=False)

    def _show_head(self, drawn: Drawn) -> None:
        session = self.session
        where = f"{session.number}/{len(session.questions)}" if len(session.questions) > 1 else ""
        again = " again" if session.is_back else ""
        gpu = f", {drawn.quiz.gpu}" if drawn.quiz.gpu else ""
        self.query_one("#quiz-head", Static).update(
            assemble(
                (f"{where}{again}  ".lstrip(), "$accent"),
                (self.services.text(drawn.question.title), "bold"),
                (f"   {drawn.question.topic}, {drawn.question.level}{gpu}", "$foreground-muted"),
            )
        )
        self.query_one("#quiz-how", Static).update(plain(_HOW[drawn.form], "$foreground-muted"))

    def _show_input(self, drawn: Drawn) -> None:
        options, number = self.query_one(QuizOptions), self.query_one("#number", Input)
        typed = drawn.form in TYPED
        options.display, number.display = not typed, typed
        options.ask(drawn, self.services.language)
        number.value = ""
        if drawn.quiz.numeric is not None:
            unit = self.services.text(drawn.quiz.numeric.unit)
            number.placeholder = f"a number{f', in {unit}' if unit else ''}"
        elif drawn.form is Form.LINES:
            number.placeholder = "numbers, line by line"
        (number if typed else options).focus()

    # Answering

    @on(QuizOptions.Picked)
    async def _picked(self, event: QuizOptions.Picked) -> None:
        if self.drawn is not None and self.drawn.form is Form.SINGLE:
            await self._answer()

    async def action_go(self) -> None:
        if self.drawn is None:
            self.action_back()
        elif self.judgement is not None:
            await self._ask()
        else:
            await self._answer()

    async def _answer(self) -> None:
        drawn = self.drawn
        if drawn is None or self.judgement is not None:
            return
        typed = self._typed(drawn)
        try:
            answer = parse_answer(drawn, typed)
        except UsageError as problem:
            self.query_one("#judgement", Static).update(
                plain(problem.hint or expected(drawn), "$text-warning")
            )
            return
        self.judgement = self.session.answer(answer)
        self._keep(drawn, typed, self.judgement)
        await self._show_judgement(drawn, self.judgement)

    def _typed(self, drawn: Drawn) -> str:
        """The answer as one would type it at the prompt."""
        if drawn.form in TYPED:
            return self.query_one("#number", Input).value
        options = self.query_one(QuizOptions)
        if drawn.form is Form.SINGLE and not options.picked and options.highlighted is not None:
            options.picked = [options.highlighted]
        return "".join(LETTERS[i] for i in options.picked)

    async def _show_judgement(self, drawn: Drawn, judgement: Judgement) -> None:
        self.query_one(QuizOptions).reveal()
        self.query_one("#judgement", Static).update(self._verdict(judgement))
        await self.query_one("#explanation", Markdown).update(self.services.text(judgement.explanation))
        if drawn.quiz.picture is not None:
            self.query_one("#quiz-picture", Static).update(shaded(draw_picture(drawn.quiz.picture)))
        vary = ", v the same with new numbers" if self._varies() else ""
        self.query_one("#quiz-how", Static).update(plain(f"Enter goes on{vary}", "$foreground-muted"))
        self.refresh_bindings()
        self.query_one("#quiz").focus()
        judged, narrow = self.query_one("#judgement"), self.size.height < ROOMY
        self.call_after_refresh(self.query_one("#quiz").scroll_to_widget, judged, animate=False, top=narrow)

    def _verdict(self, judgement: Judgement) -> Content:
        first = ("✓ right", "bold $text-success") if judgement.right else ("✗ not right", "bold $text-error")
        rows = [assemble(first, (f"   the answer is {judgement.solution}", "$foreground-muted"))]
        for remark in judgement.remarks:
            sign = "✓" if remark.correct else "✗"
            style = "$text-success" if remark.correct else "$text-error"
            label = f"{sign} {remark.letter}  " if remark.letter else f"{sign} "
            rows.append(assemble((label, style), self.services.text(remark.text)))
        return lines(*rows)

    def _keep(self, drawn: Drawn, typed: str, judgement: Judgement) -> None:
        elapsed_s = time.monotonic() - self._asked_at
        self.dojo.keep(
            partial(record, drawn, typed, judgement, elapsed_s), "this answer is not in your history"
        )

    # Moving on

    async def action_skip(self) -> None:
        if self.drawn is not None and self.judgement is None:
            self.session.skip()
            await self._ask()

    async def action_vary(self) -> None:
        if self.drawn is None or not self._varies():
            return
        try:
            varied = draw(self.drawn.question, random.SystemRandom().randrange(2**32))
        except WarpDojoError as problem:
            self.tell(str(problem), severity="error")
            return
        self._sessions.append(Session([varied]))
        await self._ask()

    def _show_outcomes(self) -> None:
        outcomes = self._sessions[0].outcomes()
        at_once = sum(outcome.first_try is True for outcome in outcomes)
        rows = [assemble((f"{at_once} of {len(outcomes)} right at once", "bold")), Content("")]
        for outcome in outcomes:
            sign, style = ("✓", "$text-success") if outcome.first_try else ("✗", "$text-error")
            later = "" if outcome.first_try else "  right later" if outcome.right_now else "  not answered"
            title = self.services.text(outcome.drawn.question.title)
            rows.append(assemble((f"{sign} ", style), title, (later, "$foreground-muted")))
        self.query_one("#quiz-head", Static).update(plain("Done", "bold $accent"))
        for name in ("#prompt", "#options", "#number", "#explanation", "#quiz-picture"):
            self.query_one(name).display = False
        self.query_one("#judgement", Static).update(lines(*rows))
        self.query_one("#quiz-how", Static).update(plain("Enter closes", "$foreground-muted"))
