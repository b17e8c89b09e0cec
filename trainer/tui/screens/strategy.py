"""A strategy question: numbers and words, then the points of a good answer, then follow-ups, then a level."""

from __future__ import annotations

import time
from enum import Enum
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Button, Input, Static, TextArea

from trainer.bank.model import Question
from trainer.bank.strategy import Strategy
from trainer.errors import UsageError
from trainer.store.workspace import Draft
from trainer.strategy.answer import Answer, FollowupAnswer
from trainer.strategy.draft import Written, pack, unpack
from trainer.strategy.judge import judge, judge_number
from trainer.strategy.record import record
from trainer.strategy.walk import walk
from trainer.tui.screens.base import DojoScreen
from trainer.tui.screens.confirm import ConfirmScreen
from trainer.tui.screens.followup import FollowupScreen
from trainer.tui.text import assemble, plain
from trainer.tui.views.level import outcome
from trainer.tui.widgets.number_row import NumberRow
from trainer.tui.widgets.points import PointList
from trainer.tui.widgets.prose import Prose
from trainer.tui.widgets.words import Words

DRAFT_S = 0.7


class Phase(Enum):
    ANSWER = "F5 hands in; Tab goes from field to field"
    READING = "PgDn shows a good answer; Enter: which of its points did you say?"
    POINTS = "tick what you said, by number, space or mouse; Enter goes on"
    FOLLOWUPS = "follow-ups"
    DONE = "Enter closes, n another of this topic"


class StrategyScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "hand_in", "Hand in", id="strategy.hand_in", tooltip="Show what a good answer says"),
        Binding("enter", "go", "Go on", id="strategy.go", priority=True, tooltip="To the follow-ups"),
        Binding("n", "next", "Next", id="strategy.next", tooltip="The next best of this topic"),
        Binding("escape", "back", "Back", id="strategy.back", tooltip="What you wrote is kept for next time"),
    ]

    def __init__(self, question: Question, strategy: Strategy) -> None:
        super().__init__()
        self.question, self.strategy = question, strategy
        self.phase = Phase.ANSWER
        self.followups: list[FollowupAnswer] = []
        self._values: list[float | None] = []
        self._began = time.monotonic()
        self._draft_timer: Timer | None = None

    @property
    def crumbs(self) -> tuple[str, ...]:
        return (self.question.topic, self.services.text(self.question.title))

    @property
    def _draft(self) -> Draft:
        return Draft(self.services.workspace / f"{self.question.id}.answer")

    def compose_body(self) -> ComposeResult:
        language = self.services.language
        yield Static(self._head(), id="quiz-head")
        with VerticalScroll(id="quiz"):
            yield Prose(self.services.text(self.strategy.prompt), id="prompt")
            for number, asked in enumerate(self.strategy.numbers, 1):
                yield NumberRow(asked, language, f"{number}. ")
            yield Words(id="words")
            yield Button("F5  Hand in", id="hand-in", compact=True)
            with Vertical(id="points-part"):
                yield Static(plain("A good answer", "bold $accent"))
                yield Prose(self.services.text(self.strategy.answer), id="explanation")
                yield Static(plain("Which of these did you say?", "bold $accent"), id="points-head")
                yield PointList(id="points")
            yield Static(id="judgement")
        yield Static(id="quiz-how")

    def _head(self) -> Content:
        facts = [self.question.topic, self.question.level, f"{self.strategy.minutes} minutes"]
        facts += [self.strategy.gpu] if self.strategy.gpu else []
        title = self.services.text(self.question.title)
        return assemble((title, "bold"), (f"   {', '.join(facts)}", "$foreground-muted"))

    def on_mount(self) -> None:
        self.query_one("#points-part").display = False
        self._restore(unpack(self._draft.read() or ""))
        first = self.query(NumberRow).first().field if self.strategy.numbers else self.query_one(Words)
        first.focus(scroll_visible=False)
        self._enter(Phase.ANSWER)

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self.query_one("#quiz-how", Static).update(plain(phase.value, "$foreground-muted"))
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "hand_in":
            return self.phase is Phase.ANSWER
        if action == "next":
            return self.phase is Phase.DONE
        if action == "go":
            in_a_field = self.phase is Phase.ANSWER and isinstance(self.focused, Input)
            return in_a_field or self.phase in (Phase.READING, Phase.POINTS, Phase.DONE)
        return True

    # What is written

    @property
    def _written(self) -> Written:
        return Written(tuple(row.typed for row in self.query(NumberRow)), self.query_one(Words).text)

    def _restore(self, kept: Written) -> None:
        for row, typed in zip(self.query(NumberRow), kept.numbers, strict=False):
            row.field.value = typed
        self.query_one(Words).load_text(kept.words)
        if not kept.is_empty:
            self.tell("what you wrote last time is back")

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _edited(self) -> None:
        if self._draft_timer is None:
            self._draft_timer = self.set_timer(DRAFT_S, self.leave)

    def leave(self) -> None:
        """Keep what is written where neither a crash nor going back loses it."""
        self._draft_timer = None
        written = self._written
        if self.phase is Phase.DONE or written.is_empty:
            self._draft.drop()
            return
        try:
            self._draft.keep(pack(written))
        except UsageError as problem:
            self.tell(str(problem), severity="warning")

    def action_back(self) -> None:
        self.leave()
        super().action_back()

    @on(Button.Pressed, "#hand-in")
    def _pressed(self) -> None:
        self.action_hand_in()

    def action_hand_in(self) -> None:
        """An empty form may stand for an answer aloud, or for a key that slipped."""
        if not self._written.is_empty:
            self._hand_in()
            return
        question = "Nothing is written yet. Hand in all the same, and read a good answer?"
        self.app.push_screen(ConfirmScreen(question, "Hand in"), lambda yes: self._hand_in() if yes else None)

    def _hand_in(self) -> None:
        if self.dojo.is_shut(self.question.id):
            return
        rows = list(self.query(NumberRow))
        values = []
        for row in rows:
            try:
                values.append(row.read())
            except UsageError as problem:
                row.advise(problem.hint or problem.message)
                return
        self._values = values
        for row, asked, value in zip(rows, self.strategy.numbers, values, strict=True):
            row.reveal(judge_number(asked, value))
        self.query_one(Words).read_only = True
        self.query_one("#hand-in").display = False
        self.query_one("#points-part").display = True
        points = [(point.aspect.value, self.services.text(point.text)) for point in self.strategy.points]
        self.query_one(PointList).show(points)
        self._enter(Phase.READING)
        self.query_one("#quiz").focus()
        self.call_after_refresh(self.query_one("#quiz").scroll_home, animate=False)

    # Going on

    def action_go(self) -> None:
        match self.phase:
            case Phase.ANSWER:
                self.focus_next()
            case Phase.DONE:
                super().action_back()
            case Phase.READING:
                self._enter(Phase.POINTS)
                self.query_one(PointList).focus(scroll_visible=False)
                head = self.query_one("#points-head")
                self.query_one("#quiz").scroll_to_widget(head, animate=False, top=True)
            case _:
                self._enter(Phase.FOLLOWUPS)
                self._ask_next()

    def action_next(self) -> None:
        self.practise_next(self.others_of(self.question.topic, self.question.id), self.action_back)

    def _ask_next(self) -> None:
        following = walk(self.strategy.followups, [f.passed for f in self.followups]).next
        if following is None:
            self._finish()
        else:
            easier = following not in self.strategy.followups
            self.app.push_screen(FollowupScreen(self.question, following.item, easier, self._followed))

    def _followed(self, answer: FollowupAnswer | None) -> None:
        """None: enough of it."""
        if answer is None:
            self._finish()
        else:
            self.followups.append(answer)
            self._ask_next()

    def _finish(self) -> None:
        ticked = self.query_one(PointList).ticked
        typed = tuple(row.typed for row in self.query(NumberRow))
        answer = Answer(self.query_one(Words).text.strip(), typed, ticked, tuple(self.followups))
        judgement = judge(self.strategy, self._values, ticked, answer.passed)
        took_s = time.monotonic() - self._began
        keep = partial(record, self.question, answer, judgement, took_s, self.services.now())
        self.dojo.keep(keep, "this answer is not in your history")
        self._enter(Phase.DONE)
        self.leave()
        self.query_one(PointList).disabled = True
        self.query_one("#judgement", Static).update(outcome(judgement, took_s, self.strategy.minutes))
        self.query_one("#quiz").focus()
        self.call_after_refresh(self.query_one("#quiz").scroll_end, animate=False)
