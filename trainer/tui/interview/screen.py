"""The interview itself: questions with their state on the left, one of them on the right, the clock on top.

Every key that changes something goes through the session, which keeps it before it counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import OptionList, Static

from trainer.bank.model import Kind, Question
from trainer.errors import StoreError, UsageError, WarpDojoError
from trainer.interview.blueprint import Movement
from trainer.interview.clock import in_words
from trainer.interview.judge import went
from trainer.interview.plan import Asked
from trainer.interview.session import Gap, Look, Session
from trainer.strategy.answer import FollowupAnswer
from trainer.tui.interview.asked_list import BY_HAND, AskedList
from trainer.tui.interview.clock import Alarm, clock_text
from trainer.tui.interview.done_pane import DonePane
from trainer.tui.interview.followup import InterviewFollowup
from trainer.tui.interview.kernel_pane import KernelPane
from trainer.tui.interview.notes import NotesScreen, PauseScreen
from trainer.tui.interview.pane import Pane
from trainer.tui.interview.quiz_pane import QuizPane
from trainer.tui.interview.strategy_pane import StrategyPane
from trainer.tui.interview.time_up import TimeUpScreen
from trainer.tui.screens.base import DojoScreen
from trainer.tui.screens.confirm import ConfirmScreen
from trainer.tui.text import plain

LOOK_S = 1.0
LAST_S = 3.0
"""At the end what was typed is kept at every look, not only after a pause in typing."""


class InterviewScreen(DojoScreen):
    CSS = """
    #interview { height: 1fr; }
    #asked { width: 22; height: 1fr; margin-right: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    .-wide #asked { width: 28; margin-right: 2; }
    .-narrow.-editing #asked { display: none; }
    #desk, #pane { width: 1fr; height: 1fr; }
    #interview-stage { height: 1; padding: 0 1; }
    #explain { height: auto; padding: 0 1; }
    #explain-ask { height: auto; max-height: 2; }
    #explain-fields { height: 1; }
    #explain-fields Input { width: 1fr; margin-right: 1; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "Next", id="interview.next", tooltip="The next question"),
        Binding("left", "step(-1)", "Before", id="interview.before", show=False, tooltip="The one before"),
        Binding("H", "hand_in", "Hand in", id="interview.hand_in", tooltip="This question; follow-ups come"),
        Binding("S", "section", "Section", id="interview.section", tooltip="On to the next, for good"),
        Binding("N", "notes", "Notes", id="interview.notes", tooltip="Your notes pad"),
        Binding("P", "pause", "Pause", id="interview.pause", tooltip="Stop the clock; in practice only"),
        Binding("t", "clock", "Clock", id="interview.clock", tooltip="Hide or show the clock"),
        Binding("F", "finish", "Finish", id="interview.finish", tooltip="Hand in the whole interview"),
        Binding("escape", "to_list", "List", id="interview.list", tooltip="To the list; there: leave"),
        Binding("q", "leave_it", "Leave", id="interview.leave", show=False, tooltip="Leave the interview"),
        Binding("slash", "shut", id="interview.shut", show=False, tooltip="Shut until the end"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._hidden = False
        self._asking = False
        self._showing = asyncio.Lock()
        self._alarm = Alarm()

    is_shut = True  # other questions, and with them ladders and explanations, stay out of reach

    @property
    def crumbs(self) -> tuple[str, ...]:
        return (self.services.text(self.session.state.plan.title),)

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="interview"):
            yield AskedList(id="asked", compact=True)
            yield Vertical(id="desk")
        yield Static("", id="quiz-how")

    async def on_mount(self) -> None:
        state = self.session.state
        await self._show(state.open_key or state.visitable[0].key)
        self._tick()
        self.set_interval(LOOK_S, self._tick)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        state = self.session.state
        if action == "pause":
            return not state.strict
        if action == "section":
            return state.plan.movement is Movement.SECTION and state.section + 1 < len(state.plan.sections)
        if action == "hand_in":
            asked = self._open_question
            return asked is not None and asked.kind in BY_HAND and not state.is_done(asked)
        return True

    @property
    def _open_question(self) -> Asked | None:
        key = self.session.state.open_key
        return self.session.state.plan.find(key) if key else None

    @property
    def pane(self) -> Pane | None:
        """None while the next one is being set up: keys come in meanwhile, and the clock goes on."""
        panes = [pane for pane in self.query(Pane) if pane.ready]
        return panes[0] if panes else None

    def _do(self, action: Callable[[], Any]) -> bool:
        """Whether it was kept; else the user hears why not."""
        try:
            action()
        except (UsageError, StoreError) as problem:
            self.tell(str(problem), severity="error")
            return False
        return True

    # The clock

    def _tick(self) -> None:
        if self.session.state.end is not None or not self.is_attached:
            return
        state, now = self.session.state, self.services.now()
        if self.pane is not None and min(state.left_s(now), state.section_left_s(now)) < LAST_S:
            self.pane.keep()
        try:
            look = self.session.look()
        except StoreError as problem:
            self.services.report(str(problem))
            self.dojo.tell_trouble()
            return
        self._show_clock(look)
        if look.gap is not None:
            self._ask_about(look.gap)
        elif look.over:
            self._end()
            self._time_up("Time is up: your answers are handed in. Enter shows the report.")
        elif look.section_over:
            self._time_up("Time for this section is up. Enter goes on; the next one's clock runs.")
            self.run_worker(self._show(self.session.state.open_key), exit_on_error=False)
        else:
            for words in self._alarm.words(look, self.session.state):
                self.tell(words, severity="warning")

    def _time_up(self, words: str) -> None:
        """Keys that were meant for what was open must not reach what comes next."""
        if not isinstance(self.app.screen, TimeUpScreen):
            self.app.push_screen(TimeUpScreen(words, self.services.now))

    def _show_clock(self, look: Look) -> None:
        text = clock_text(look, self.session.state, hidden=self._hidden)
        for machine in self.app.screen.query("TopBar #machine").results(Static):
            machine.update(plain(text))

    def _ask_about(self, gap: Gap) -> None:
        if self._asking:
            return
        self._asking = True
        strict = " The interview is then no longer strict." if self.session.state.strict else ""
        question = (
            f"No sign of life for {in_words(gap.seconds)}: was the machine asleep, or were you away?\n"
            f"y leaves that time out.{strict}\nn counts it."
        )

        def settle(leave_out: bool | None) -> None:
            self._asking = False
            self._do(lambda: self.session.settle(counted=not leave_out))
            self.refresh_bindings()
            self._tick()

        self.app.push_screen(ConfirmScreen(question, "Leave it out"), settle)

    # The list

    def on_key(self, event: events.Key) -> None:
        """A key for which the list has no use is meant for the question beside it."""
        pane, key = self.pane, event.key
        if pane is None or not event.is_printable or self.focused is not self.query_one("#asked"):
            return
        if key not in self.active_bindings:
            event.stop()
            pane.focus_first()
            self.app.call_later(self._press_again, key, event.character)  # after the focus has moved

    def _press_again(self, key: str, character: str | None) -> None:
        if self.focused is not self.query_one("#asked"):
            self.app.post_message(events.Key(key, character))

    def _fill(self) -> None:
        self.query_one(AskedList).fill(self.session.state, self.services.language)

    @on(OptionList.OptionSelected, "#asked")
    async def _chosen(self, event: OptionList.OptionSelected) -> None:
        if event.option_id:
            await self._go_to(event.option_id)

    # Questions

    async def _go_to(self, key: str) -> None:
        if self.pane is not None:
            self.pane.keep()
        if self._do(lambda: self.session.visit(key)):
            await self._show(key)

    async def _show(self, key: str) -> None:
        """One after the other: a key may ask for the next question while this one is still being set up."""
        async with self._showing:
            await self._show_now(key)

    async def _show_now(self, key: str) -> None:
        asked = self.session.state.plan.find(key)
        if self.session.state.open_key != key and not self._do(lambda: self.session.visit(key)):
            return
        self.set_class(False, "-editing")
        desk = self.query_one("#desk", Vertical)
        for old in desk.query(Pane):
            old.ready = False
        await desk.remove_children()
        pane = self._pane_for(asked)
        if pane is None:
            await desk.mount(Static(plain("this question cannot be shown; leave it out", "$text-error")))
        else:
            await desk.mount(pane)
            pane.ready = True
            pane.focus_first()
            self.query_one("#quiz-how", Static).update(plain(pane.how, "$foreground-muted"))
        self._fill()
        self.refresh_bindings()

    def _pane_for(self, asked: Asked) -> Pane | None:
        question = self._question(asked)
        if question is None:
            return None
        answer = self.session.state.answer(asked.key)
        if self.session.state.is_done(asked):
            followups = went(self.services.library.followups(question), answer)
            return DonePane(asked, question, answer, self, followups, self._follow_up)
        if asked.kind is Kind.KERNEL:
            folder = self.services.workspace / "interviews" / self.session.id
            return KernelPane(asked, question, answer, self, folder)
        return (StrategyPane if asked.kind is Kind.STRATEGY else QuizPane)(asked, question, answer, self)

    def _question(self, asked: Asked) -> Question | None:
        try:
            return self.services.library.question(asked.question)
        except WarpDojoError as problem:
            self.tell(str(problem), severity="error")
            return None

    async def action_step(self, step: int) -> None:
        keys = [asked.key for asked in self.session.state.visitable]
        at = keys.index(self.session.state.open_key) + step if self.session.state.open_key in keys else 0
        if 0 <= at < len(keys):
            await self._go_to(keys[at])
        else:
            self.tell("there is no further question here")

    # What panes hand on

    def typed(self, key: str, fields: dict[str, str]) -> None:
        if self.session.state.end is None and not self.session.state.is_done(
            self.session.state.plan.find(key)
        ):
            empty = self.session.state.answer(key).is_empty
            self._do(lambda: self.session.answer(key, fields))
            if empty != self.session.state.answer(key).is_empty:
                self._fill()

    def kept(self, key: str, text: str, facts: dict[str, Any] | None = None) -> None:
        if self.session.state.end is not None:
            return
        if facts is not None:
            self._do(lambda: self.session.tried(key, facts, text))
        elif not self.session.state.is_done(self.session.state.plan.find(key)):
            self._do(lambda: self.session.keep_file(key, text))
        self._fill()

    def next_question(self) -> None:
        keys = [asked.key for asked in self.session.state.visitable]
        at = keys.index(self.session.state.open_key) + 1
        if at < len(keys):
            self.run_worker(self._go_to(keys[at]), exit_on_error=False)
        else:
            self._fill()
            self.query_one("#asked").focus()
            last = "S goes on to the next section, F hands in all" if self._has_more() else "F hands in all"
            self.tell(f"that was the last question here: {last}")

    def _has_more(self) -> bool:
        return bool(self.check_action("section", ()))

    def returned(self, key: str, text: str | None, saved_at: datetime) -> None:
        self._do(lambda: self.session.returned(key, text, saved_at))
        self._tick()
        if self.session.state.end is None:
            self._fill()

    # Handing in

    async def action_hand_in(self) -> None:
        asked = self._open_question
        if asked is None or not self.check_action("hand_in", ()):
            return
        if self.session.state.answer(asked.key).handed_in + 1 < len(asked.stages):
            await self._hand_in(asked.key)
            return

        def hand_in(yes: bool | None) -> None:
            if yes:
                self.run_worker(self._hand_in(asked.key), exit_on_error=False)

        question = f"Hand in {asked.key}? It is closed then, and follow-ups come."
        self.app.push_screen(ConfirmScreen(question, "Hand in"), hand_in)

    async def _hand_in(self, key: str) -> None:
        if self.pane is not None:
            self.pane.keep()
        if self._do(lambda: self.session.hand_in(key)):
            await self._show(key)
            self._follow_up()

    def _follow_up(self) -> None:
        """The next question of the tree; between stages one, after the last all that there are."""
        asked = self._open_question
        question = self._question(asked) if asked is not None else None
        if asked is None or question is None or self.session.state.end is not None:
            return
        followups = self.services.library.followups(question)
        following = went(followups, self.session.state.answer(asked.key)).next
        if following is not None:
            easier = following not in followups
            self.app.push_screen(InterviewFollowup(question, following.item, easier, self._followed))

    def _followed(self, answer: FollowupAnswer | None) -> None:
        asked = self._open_question
        if answer is None or asked is None or self.session.state.end is not None:
            return
        key, state = asked.key, self.session.state
        kept = self._do(
            lambda: self.session.follow_up(key, answer.typed, passed=answer.passed, ticked=answer.ticked)
        )
        self.run_worker(self._show(key), exit_on_error=False)
        if kept and state.is_done(asked):
            self._follow_up()

    async def action_section(self) -> None:
        asked_in = self.session.state.section

        def leave(yes: bool | None) -> None:
            if yes and self.session.state.section == asked_in:  # the clock may have been first
                if self.pane is not None:
                    self.pane.keep()
                if self._do(self.session.leave_section):
                    self.run_worker(self._show(self.session.state.open_key), exit_on_error=False)

        question = "On to the next section? There is no way back; its time is added to the next."
        self.app.push_screen(ConfirmScreen(question, "Go on"), leave)

    def action_finish(self) -> None:
        def finish(yes: bool | None) -> None:
            if yes:
                if self.pane is not None:
                    self.pane.keep()
                if self._do(self.session.finish):
                    self.tell("Handed in.")
                    self._end()

        left = in_words(self.session.state.left_s(self.services.now()))
        self.app.push_screen(ConfirmScreen(f"Hand in the interview? {left} are left.", "Hand in"), finish)

    def _end(self) -> None:
        from trainer.tui.interview.end import EndScreen

        if self.dojo.grader.job is not None and self.dojo.grader.job.running:
            self.dojo.grader.cancel()
        while self.app.screen is not self and len(self.app.screen_stack) > 1:
            self.app.pop_screen()  # notes, a question, a follow-up: time is up for those, too
        self.app.switch_screen(EndScreen(self.session))

    # The rest

    def action_shut(self) -> None:
        self.tell("shut until the end of the interview")

    def action_clock(self) -> None:
        self._hidden = not self._hidden
        self._tick()

    def action_notes(self) -> None:
        self.app.push_screen(NotesScreen(self.session.state.notes, self._note))

    def _note(self, text: str) -> None:
        if self.session.state.end is None:
            self._do(lambda: self.session.note(text))

    def action_pause(self) -> None:
        """Behind the curtain there is nothing to read."""
        if self._do(self.session.pause):
            self.query_one("#interview").visible = False
            self.app.push_screen(PauseScreen(), lambda _: self._go_on())

    def _go_on(self) -> None:
        self.query_one("#interview").visible = True
        self._do(self.session.go_on)

    def action_to_list(self) -> None:
        rows = self.query_one("#asked")
        if rows.has_focus:
            self.action_leave_it()
        else:
            rows.focus()

    def action_leave_it(self) -> None:
        def leave(yes: bool | None) -> None:
            if yes:
                self.leave()
                self.app.pop_screen()

        clock = (
            "Its clock runs on meanwhile."
            if self.session.state.strict
            else "Its clock stands still meanwhile."
        )
        self.app.push_screen(ConfirmScreen(f"Leave the interview? {clock}", "Leave"), leave)

    def leave(self) -> None:
        if self.session.state.end is None:
            if self.pane is not None:
                self.pane.keep()
            self._do(self.session.leave)

    def action_back(self) -> None:
        self.action_leave_it()
