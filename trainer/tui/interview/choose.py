"""Which interview: a new one, one that is still running, or the report of one that was."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from trainer.errors import StoreError, UsageError, WarpDojoError
from trainer.interview.archive import Summary, last_seen, summaries
from trainer.interview.blueprint import Blueprint, load_blueprints
from trainer.interview.plan import Plan, draw_plan
from trainer.interview.session import Session
from trainer.interview.unfinished import refuse_second
from trainer.store.interviews import InterviewLog
from trainer.tui.screens.base import DojoScreen
from trainer.tui.screens.confirm import ConfirmScreen
from trainer.tui.text import assemble, fit, plain, since

LENGTHS = (None, 20.0, 30.0, 45.0, 60.0, 90.0)
"""Minutes to choose from; None: as long as the blueprint says."""


class ChooseScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "mode", "Practice", id="mock.mode", tooltip="Strict, or practice with pauses"),
        Binding("right", "length(1)", "Longer", id="mock.longer", tooltip="How many minutes"),
        Binding("left", "length(-1)", "Shorter", id="mock.shorter", show=False, tooltip="How many minutes"),
    ]

    def __init__(self, plan: Plan | None = None, resume: str = "") -> None:
        """With a `plan` its interview begins at once, with an id that one goes on."""
        super().__init__()
        self.strict = True
        self._length = 0
        self._plan, self._wanted = plan, resume
        self._log: InterviewLog | None = None
        self._rows: list[Blueprint | Summary | None] = []

    @property
    def crumbs(self) -> tuple[str, ...]:
        return ("mock interview",)

    @property
    def minutes(self) -> float | None:
        return LENGTHS[self._length]

    def compose_body(self) -> ComposeResult:
        yield Static("", id="filter")
        yield OptionList(id="questions", compact=True)
        yield Static("", id="about")

    def on_mount(self) -> None:
        self._fill()
        self.query_one("#questions").focus()
        plan, self._plan = self._plan, None
        wanted, self._wanted = self._wanted, ""
        if plan is not None:
            self._start(plan)
        elif wanted:
            self._guarded(lambda: self._resume(wanted))

    def on_unmount(self) -> None:
        if self._log is not None:
            self._log.close()

    def on_screen_resume(self) -> None:
        self._fill()

    def _open_log(self) -> InterviewLog:
        if self._log is None:
            self._log = InterviewLog.open()
        return self._log

    def _fill(self) -> None:
        mode = "strict: no pause, no way back" if self.strict else "practice: with pauses"
        length = "full length" if self.minutes is None else f"{self.minutes:g} minutes"
        self.query_one("#filter", Static).update(
            assemble((length, "bold $accent"), f", {mode}", ("   ← → p change it", "$foreground-muted"))
        )
        blueprints, problems = load_blueprints(self.services.library.roots)
        for problem in problems:
            self.services.report(str(problem))
        self.dojo.tell_trouble()
        past = self._past()
        running = [one for one in past if one.phase != "done"]
        done = [one for one in past if one.phase == "done"]
        rows: list[tuple[Content, Blueprint | Summary | None]] = [(self._running_row(o), o) for o in running]
        rows += [(self._blueprint_row(blueprint), blueprint) for blueprint in blueprints]
        if done:
            rows.append((plain("Reports", "bold $foreground-muted"), None))
        rows += [(self._done_row(one), one) for one in done]
        options = self.query_one("#questions", OptionList)
        at = options.highlighted
        options.clear_options()
        options.add_options(Option(row, disabled=target is None) for row, target in rows)
        self._rows = [target for _, target in rows]
        options.highlighted = min(at or 0, len(rows) - 1) if rows else None

    def _past(self) -> tuple[Summary, ...]:
        """Looking makes no file."""
        try:
            if self._log is not None:
                return summaries(self._log)
            with InterviewLog.existing() as looked:
                return summaries(looked)
        except StoreError as problem:
            self.services.report(str(problem))
            self.dojo.tell_trouble()
            return ()

    def _running_row(self, one: Summary) -> Content:
        words = "go on with" if one.phase == "running" else "grade"
        return assemble(
            (f"▸ {words} ", "bold $text-warning"),
            fit(self.services.text(one.title), 24),
            (f"begun {since(one.started, self.services.now())}", "$foreground-muted"),
        )

    def _blueprint_row(self, one: Blueprint) -> Content:
        return assemble(
            fit(self.services.text(one.title), 26), (f"{one.minutes:>4g} min  ", "$foreground-muted"),
            (fit(self.services.text(one.about), max(20, self.size.width - 44)), "$foreground-muted"),
        )  # fmt: skip

    def _done_row(self, one: Summary) -> Content:
        mode = "strict" if one.strict else "practice"
        return assemble(
            fit(self.services.text(one.title), 26),
            (f"{one.total or 0:>6.1f}", "bold"),
            (
                f" of 100  {one.minutes:g} min, {mode}, {since(one.started, self.services.now())}",
                "$foreground-muted",
            ),
        )

    @on(OptionList.OptionHighlighted)
    def _over(self, event: OptionList.OptionHighlighted) -> None:
        target = self._rows[event.option_index] if event.option_index < len(self._rows) else None
        text = self.services.text(target.about) if isinstance(target, Blueprint) else ""
        self.query_one("#about", Static).update(plain(text, "$foreground-muted"))

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        target = self._rows[event.option_index]
        if isinstance(target, Blueprint):
            if self._may_begin():
                self._guarded(lambda: self._offer(self._draw(target)))
        elif target is not None:
            self._guarded(lambda: self._resume(target.id))

    def _may_begin(self) -> bool:
        """False while a strict interview runs; then that has been said."""
        try:
            with InterviewLog.existing() as log:
                refuse_second(log, self.services.now())
        except WarpDojoError as problem:
            self.tell(str(problem), severity="warning")
            return False
        return True

    def _guarded(self, action: Callable[[], None]) -> None:
        try:
            action()
        except WarpDojoError as problem:
            self.tell(str(problem), severity="error")

    def _draw(self, blueprint: Blueprint) -> Plan:
        services = self.services
        return draw_plan(
            blueprint,
            services.entries,
            seed=random.SystemRandom().randrange(2**32),
            now=services.now(),
            last_seen=last_seen(services.attempts(), self._open_log()),
            minutes=self.minutes,
            strict=self.strict,
        )

    def _offer(self, plan: Plan) -> None:
        """The clock starts at once, so ask first."""
        mode = "strict" if plan.strict else "practice"
        rows = [f"{self.services.text(plan.title)}: {plan.minutes:g} minutes, {mode}", ""]
        for section in plan.sections:
            kinds = [asked.kind.value for asked in section.asked]
            counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
            rows.append(f"{section.minutes:>4.0f} min  {self.services.text(section.title)}: {counts}")
        question = "\n".join((*rows, "", "The clock starts at once."))
        self.app.push_screen(ConfirmScreen(question, "Begin"), lambda yes: self._start(plan) if yes else None)

    def _start(self, plan: Plan) -> None:
        try:
            self._enter(Session.start(self._open_log(), plan, self.services.now))
        except (StoreError, UsageError) as problem:
            self.tell(str(problem), severity="error")

    def _resume(self, interview: str) -> None:
        self._enter(Session.resume(self._open_log(), interview, self.services.now))

    def _enter(self, session: Session) -> None:
        from trainer.tui.interview.end import EndScreen
        from trainer.tui.interview.screen import InterviewScreen

        screen = InterviewScreen if session.state.end is None else EndScreen
        self.app.push_screen(screen(session))

    def action_mode(self) -> None:
        self.strict = not self.strict
        self._fill()

    def action_length(self, step: int) -> None:
        self._length = (self._length + step) % len(LENGTHS)
        self._fill()
