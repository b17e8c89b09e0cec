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
from textual.widgets import Static

from trainer.bank.quiz import Form
from trainer.errors import UsageError, WarpDojoError
from trainer.quiz.draw import Drawn, draw
from trainer.quiz.judge import Judgement, expected, parse_answer
from trainer.quiz.picture import draw_picture
from trainer.quiz.record import record
from trainer.quiz.session import Session
from trainer.tui.counting import Counted, count
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import assemble, lines, plain
from trainer.tui.views.judgement import judgement_text
from trainer.tui.views.memory import pictures_of, shaded
from trainer.tui.widgets.answer import HOW, AnswerArea
from trainer.tui.widgets.options import QuizOptions
from trainer.tui.widgets.prose import Prose

ROOMY = 30
"""Rows from which the question stays in sight above its answer."""

class QuizScreen(DojoScreen):
    """A session of quizzes. `v` puts the same template with new numbers on top of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Answer / next", id="quiz.go", priority=True, tooltip="Answer, then go on"),
        Binding("s", "skip", "Skip", id="quiz.skip", priority=True, tooltip="It comes back later"),
        Binding("v", "vary", "Vary", id="quiz.vary", priority=True, tooltip="The same with new numbers"),
        Binding("n", "next", "Next", id="quiz.next", priority=True, tooltip="The next best of this topic"),
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
            yield Prose(id="prompt")
            yield AnswerArea(id="answer")
            yield Static(id="judgement")
            yield Prose(id="explanation")
            yield Static(id="quiz-picture", classes="code-text")
        yield Static(id="quiz-how")

    async def on_mount(self) -> None:
        await self._ask()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "skip":
            return self.drawn is not None and self.judgement is None
        if action == "vary":
            return self._varies()
        if action == "next":
            return self._may_go_on
        return True

    @property
    def _may_go_on(self) -> bool:
        """Whether another question of the topic may follow: this one was answered and is the only one."""
        alone = len(self._sessions[0].questions) == 1
        return alone and (self.judgement is not None or self.drawn is None)

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
        await self.query_one("#prompt", Prose).update(self.services.text(self.drawn.quiz.prompt))
        await self.query_one("#explanation", Prose).update("")
        for name in ("#judgement", "#quiz-picture"):
            self.query_one(name, Static).update("")
        self._show_head(self.drawn)
        await self.query_one(AnswerArea).ask(self.drawn, self.services.language)
        self.query_one("#quiz").scroll_home(animate=False)
        self.call_after_refresh(self._say_how, HOW[self.drawn.form])

    def _say_how(self, text: str) -> None:
        more = self.query_one("#quiz").max_scroll_y > 0 and self.judgement is None
        hint = "   PgDn: there is more below" if more else ""
        self.query_one("#quiz-how", Static).update(assemble((text, "$foreground-muted"), (hint, "$accent")))

    @on(QuizOptions.Paged)
    def _paged(self, event: QuizOptions.Paged) -> None:
        question = self.query_one("#quiz")
        question.scroll_relative(y=event.step * (question.size.height - 2), animate=False)

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
        elif not self.query_one(AnswerArea).goes_on():
            await self._answer()

    async def _answer(self) -> None:
        drawn = self.drawn
        if drawn is None or self.judgement is not None or self.dojo.is_shut(drawn.question.id):
            return
        area = self.query_one(AnswerArea)
        typed = area.typed
        try:
            answer = parse_answer(drawn, typed)
        except UsageError as problem:
            told = area.missing or problem.hint or expected(drawn)
            self.query_one("#judgement", Static).update(plain(told, "$text-warning"))
            return
        self.judgement = self.session.answer(answer)
        self._keep(drawn, typed, self.judgement)
        await self._show_judgement(drawn, typed, self.judgement)

    async def _show_judgement(self, drawn: Drawn, typed: str, judgement: Judgement) -> None:
        self.query_one(AnswerArea).reveal(judgement)
        self.query_one("#judgement", Static).update(
            judgement_text(judgement, drawn, typed, self.services.language)
        )
        await self.query_one("#explanation", Prose).update(self.services.text(judgement.explanation))
        self._draw(drawn)
        vary = ", v the same with new numbers" if self._varies() else ""
        vary += ", n another of this topic" if self._may_go_on else ""
        self.query_one("#quiz-how", Static).update(plain(f"Enter goes on{vary}", "$foreground-muted"))
        self.refresh_bindings()
        self.query_one("#quiz").focus()
        judged, narrow = self.query_one("#judgement"), self.size.height < ROOMY
        self.call_after_refresh(self.query_one("#quiz").scroll_to_widget, judged, animate=False, top=narrow)

    def _draw(self, drawn: Drawn) -> None:
        """What the hardware does: at once where the question holds it, else as soon as it is counted."""
        picture = self.query_one("#quiz-picture", Static)
        if drawn.quiz.picture is not None:
            picture.update(shaded(draw_picture(drawn.quiz.picture)))
        elif drawn.quiz.analysis is not None:
            picture.update(plain("the simulator counts …", "$foreground-muted"))
            count(drawn.quiz.analysis, self.dojo.grader, self)

    @on(Counted)
    def _counted(self, event: Counted) -> None:
        if self.drawn is None or self.judgement is None or self.drawn.quiz.analysis is not event.analysis:
            return
        told = pictures_of(event.lines)
        if event.problem:
            told = plain(f"no picture: {event.problem}", "$text-warning")
        self.query_one("#quiz-picture", Static).update(told)

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

    def action_next(self) -> None:
        question = self._sessions[0].questions[0].question
        self.practise_next(self.others_of(question.topic, question.id), self.action_back)

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
        for name in ("#prompt", "#answer", "#explanation", "#quiz-picture"):
            self.query_one(name).display = False
        self.query_one("#judgement", Static).update(lines(*rows))
        more = ", n another of this topic" if self._may_go_on else ""
        self.query_one("#quiz-how", Static).update(plain(f"Enter closes{more}", "$foreground-muted"))
