"""The reference solutions of a task, from the obvious to the best: ideas, code, differences, times."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static, TabbedContent, TabPane
from textual.widgets.option_list import Option

from trainer.bank.model import Question, Rung
from trainer.errors import CancelledError, MissingToolError, UsageError, WarpDojoError
from trainer.grade.backend import Timing
from trainer.grade.ladder import Ladder, place, recorded_times, rung_times
from trainer.grade.rates import times_of
from trainer.store.history import EventKind
from trainer.store.workspace import read_source
from trainer.tui.measuring import MeasureEnded, Measuring
from trainer.tui.screens.base import DojoScreen
from trainer.tui.screens.confirm import ConfirmScreen
from trainer.tui.text import assemble, lines, plain
from trainer.tui.views import speed
from trainer.tui.views.diff import diff
from trainer.tui.widgets.code import CodeView

LOCKED = """\
The reference solutions stay closed until your own is accepted.

They are worth more when you have fought the problem first: the hints (h on the task) tell you where to \
look. Should you want to see them all the same, press G to give up. That is kept in your history; the task \
stays open for you to solve."""
SIDE = 8  # cells that a key moves code sideways
_TEXTS = {"idea": "#idea-scroll", "code": "#rung-code", "previous": "#diff-previous", "yours": "#diff-yours"}


class RungList(OptionList, inherit_bindings=False):
    """Up and down choose a rung; the pages are those of its text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding
        for binding in OptionList.BINDINGS
        if isinstance(binding, Binding) and binding.key not in ("pageup", "pagedown")
    ]


class LadderScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("G", "give_up", "Give up", id="ladder.give_up", tooltip="Open the solutions; it is recorded"),
        Binding("m", "measure", "Measure", id="ladder.measure", tooltip="Time all rungs and your file here"),
        Binding("1", "tab('idea')", "Idea", id="ladder.idea", show=False, tooltip="What the rung does"),
        Binding("2", "tab('code')", "Code", id="ladder.code", show=False, tooltip="The whole file"),
        Binding("3", "tab('previous')", "Diff", id="ladder.previous", tooltip="Changes from the rung below"),
        Binding("4", "tab('yours')", "To yours", id="ladder.yours", tooltip="Changes from your file"),
        Binding("tab", "next_tab", "Tabs", id="ladder.next", priority=True, tooltip="Idea, code, changes"),
        Binding("pagedown", "page(1)", "Scroll", id="ladder.page_down", tooltip="The text of the tab, down"),
        Binding("pageup", "page(-1)", "Up", id="ladder.page_up", show=False, tooltip="The text, up"),
        Binding("right", "side(1)", "Right", id="ladder.right", show=False, tooltip="The text, sideways"),
        Binding("left", "side(-1)", "Left", id="ladder.left", show=False, tooltip="The text, back again"),
    ]

    def __init__(self, question: Question, path: Path) -> None:
        super().__init__()
        self.question = question
        self.path = path
        self.rungs: tuple[Rung, ...] = ()
        self.unlocked = False
        self._given_up = False
        self._shut = ""  # why it is locked during an interview
        self._measuring: Measuring | None = None
        self._ladder = Ladder(None, (None, None), ())
        self._own: Timing | None = None

    @property
    def crumbs(self) -> tuple[str, ...]:
        return (self.question.topic, self.services.text(self.question.title), "ladder")

    @property
    def _timed_size(self) -> str:
        return self.question.task.timed.name if self.question.task else ""

    def compose_body(self) -> ComposeResult:
        yield Static(id="locked")
        with Vertical(id="ladder"):
            yield Static(id="ladder-head", classes="heading")
            yield RungList(id="rungs", compact=True)
            with TabbedContent(id="tabs"):
                with TabPane("1 Idea", id="idea"), VerticalScroll(id="idea-scroll"):
                    yield Static(id="idea-text")
                with TabPane("2 Code", id="code"):
                    yield CodeView(id="rung-code")
                with TabPane("3 To the rung below", id="previous"):
                    yield CodeView(id="diff-previous")
                with TabPane("4 To yours", id="yours"):
                    yield CodeView(id="diff-yours")

    def on_mount(self) -> None:
        try:
            self.rungs = self.services.library.rungs(self.question)
            recordings = self.services.library.recordings(self.question)
        except WarpDojoError as problem:
            self.tell(str(problem), severity="error")
            recordings = ()
        recorded = recorded_times(recordings, self.question.id, "")
        times = rung_times(self.rungs, self.services.language, {}, recorded.times_us, recorded.device)
        self._ladder = place(None, times, self._timed_size)
        self._look_at_locks()
        self._show()

    def on_screen_resume(self) -> None:
        """A strict interview may have begun meanwhile."""
        if self._look_at_locks():
            self._show()

    def _look_at_locks(self) -> bool:
        """Whether anything changed. A give-up may still be on its way to the history."""
        before = self._shut, self.unlocked
        self._shut = self.services.why_shut(self.question.id)
        self.unlocked = not self._shut and (self._given_up or self.services.unlocked(self.question.id))
        return (self._shut, self.unlocked) != before

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "give_up":
            return not self.unlocked and not self._shut and bool(self.rungs)
        if action in ("measure", "tab", "next_tab", "page", "side"):
            return self.unlocked
        return True

    def _show(self) -> None:
        locked = self.query_one("#locked", Static)
        if not self.rungs:
            locked.update(plain("This task has no reference solutions yet."))
        elif self._shut:
            locked.update(lines(assemble(("Locked", "bold $accent")), "", plain(self._shut)))
        elif not self.unlocked:
            count = f"{len(self.rungs)} rungs. " if len(self.rungs) > 1 else ""
            locked.update(lines(assemble((f"{count}Locked", "bold $accent")), "", plain(LOCKED)))
        opened = self.unlocked and bool(self.rungs)
        locked.display = not opened
        self.query_one("#ladder").display = opened
        if opened:
            self._fill()
            self.query_one("#rungs").focus()
        self.refresh_bindings()

    def _fill(self) -> None:
        options = self.query_one("#rungs", OptionList)
        at = options.highlighted or 0
        slowest = max(
            [r.median_us or 0.0 for r in self._ladder.rungs] + [self._own.median_us if self._own else 0]
        )
        rows = [
            Option(
                speed.bar(
                    f"{r.id.split('-')[0]} {r.title}",
                    r.median_us,
                    slowest,
                    "$primary",
                    here=r.id == self._ladder.rung,
                )
            )
            for r in self._ladder.rungs
        ]
        options.clear_options()
        options.add_options(rows)
        if self._own is not None:
            bar = speed.bar("your file", self._own.median_us, slowest, "$accent", here=False)
            options.add_option(Option(bar, disabled=True))
        options.highlighted = at
        times = times_of(self._ladder) or "without times"
        self.query_one("#ladder-head", Static).update(plain(f"Rungs, {times}"))

    @on(OptionList.OptionHighlighted, "#rungs")
    def _rung_shown(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_index >= len(self.rungs):
            return
        rung = self.rungs[event.option_index]
        self.query_one("#idea-text", Static).update(self._idea(rung))
        try:
            text = read_source(rung.source)
        except UsageError as problem:
            self.tell(str(problem), severity="error")
            return
        self.query_one("#rung-code", CodeView).show(text)
        self.query_one("#diff-previous", CodeView).show_content(self._from_below(event.option_index, text))
        self.query_one("#diff-yours", CodeView).show_content(self._from_yours(text))

    def _idea(self, rung: Rung) -> Content:
        parts = []
        for title, text in (("Idea", rung.idea), ("Removes", rung.removes), ("Look at", rung.watch)):
            parts += [
                plain(title, "bold $accent"),
                plain(" ".join(self.services.text(text).split())),
                Content(""),
            ]
        return lines(*parts)

    def _from_below(self, index: int, text: str) -> Content:
        if index == 0:
            return plain("this is the lowest rung", "$foreground-muted")
        try:
            return diff(read_source(self.rungs[index - 1].source), text)
        except UsageError as problem:
            return plain(str(problem))

    def _from_yours(self, text: str) -> Content:
        if not self.path.exists():
            return plain("you have no file for this task yet", "$foreground-muted")
        try:
            return diff(read_source(self.path), text)
        except UsageError as problem:
            return plain(str(problem))

    def action_tab(self, name: str) -> None:
        self.query_one(TabbedContent).active = name

    def action_next_tab(self) -> None:
        tabs, names = self.query_one(TabbedContent), list(_TEXTS)
        tabs.active = names[(names.index(tabs.active) + 1) % len(names)]

    @property
    def _text(self) -> Widget:
        """What scrolls in the tab that is open; the list of rungs keeps the focus."""
        return self.query_one(_TEXTS[self.query_one(TabbedContent).active])

    def action_page(self, step: int) -> None:
        self._text.scroll_relative(y=step * max(self._text.size.height - 1, 1), animate=False)

    def action_side(self, step: int) -> None:
        self._text.scroll_relative(x=step * SIDE, animate=False)

    # Giving up

    def action_give_up(self) -> None:
        question = "Open the reference solutions without having solved it? Your history will say so."
        self.app.push_screen(ConfirmScreen(question, "Give up"), self._gave_up)

    def _gave_up(self, sure: bool | None) -> None:
        if sure:
            self.dojo.note(self.question.id, EventKind.GAVE_UP)
            self.unlocked = self._given_up = True
            self._show()

    # Measuring

    def action_measure(self) -> None:
        if self._measuring is not None:
            return
        self._measuring = Measuring(self.services.open_backends, self)
        self._measuring.start(self.question, self.rungs, self.path if self.path.exists() else None)
        self.query_one("#ladder-head", Static).update(
            plain("measuring all rungs, this takes some seconds …", "$accent")
        )

    @on(MeasureEnded)
    def _measured(self, event: MeasureEnded) -> None:
        self._measuring = None
        measured = event.measured
        if measured is not None and measured.rungs:
            times = {name: timing.median_us for name, timing in measured.rungs.items()}
            self._own = measured.own
            entries = rung_times(self.rungs, self.services.language, times, {})
            self._ladder = place(measured.own.median_us if measured.own else None, entries, self._timed_size)
        self._fill()
        if event.problem is not None and not isinstance(event.problem, CancelledError):
            why = "times need a GPU" if isinstance(event.problem, MissingToolError) else "nothing was timed"
            self.tell(f"{why}: {event.problem}", severity="warning")
        elif measured is not None and measured.message:
            self.tell(f"your file has no time: {measured.message}", severity="warning")

    def action_back(self) -> None:
        if self._measuring is not None:
            self._measuring.cancel()
        super().action_back()
