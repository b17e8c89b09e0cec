"""The verdict and all that is known about it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static, TabbedContent, TabPane
from textual.widgets.option_list import Option

from trainer.bank.model import Question
from trainer.grade.result import Grade
from trainer.grade.verdict import Verdict
from trainer.sim.ranking import worst_first
from trainer.sim.report import Access
from trainer.tui.screens.base import DojoScreen
from trainer.tui.screens.picture import PictureScreen
from trainer.tui.text import assemble, lines, plain, words
from trainer.tui.views import memory, speed
from trainer.tui.views.verdict import details, heading, headline
from trainer.tui.widgets.code import CodeView
from trainer.tui.widgets.fitted import Fitted
from trainer.tui.widgets.roofline import RooflinePlot

if TYPE_CHECKING:
    from trainer.tui.screens.task import TaskScreen
    from trainer.tui.widgets.stages import StageStrip

TABS = ("details", "memory", "speed", "source")


class ResultScreen(DojoScreen):
    """`task_screen` is the one below that graded; without it (an old attempt) keys that grade are gone."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "grade", "Grade", id="result.grade", tooltip="Grade the file as it is now"),
        Binding("x", "stop", "Stop", id="result.stop", tooltip="End the grade that is running, at once"),
        Binding("e", "edit", "Edit", id="result.edit", tooltip="Open the file in your editor"),
        Binding("l", "ladder", "Ladder", id="result.ladder", tooltip="The reference solutions"),
        Binding(
            "n", "next_question", "Next", id="result.next_question", tooltip="The next best of this topic"
        ),
        Binding("1", "tab('details')", "Details", id="result.details", show=False, tooltip="Cases, hazards"),
        Binding("2", "tab('memory')", "Memory", id="result.memory", show=False, tooltip="Accesses by line"),
        Binding("3", "tab('speed')", "Speed", id="result.speed", show=False, tooltip="Time and roofline"),
        Binding("4", "tab('source')", "Source", id="result.source", show=False, tooltip="What was graded"),
        Binding("tab", "next_tab", "Tabs", id="result.next", priority=True, tooltip="Details, memory, ..."),
    ]

    def __init__(self, question: Question, grade: Grade, source: str, task_screen: TaskScreen) -> None:
        super().__init__()
        self.question = question
        self.grade = grade
        self.source = source
        self._owner = task_screen
        self._rows: list[Access] = []

    @property
    def crumbs(self) -> tuple[str, ...]:
        return (self.question.topic, self.services.text(self.question.title), "result")

    def compose_body(self) -> ComposeResult:
        yield Static(id="headline")
        yield Static(id="stages")
        with TabbedContent(id="tabs"):
            with TabPane("1 Details", id="details"), VerticalScroll(id="details-scroll"):
                yield Static(id="details-text")
            with TabPane("2 Memory", id="memory"):
                yield Static(plain(memory.COLUMNS, "$foreground-muted"), id="memory-head")
                yield OptionList(id="access", compact=True)
                yield Static(id="divergence")
            with TabPane("3 Speed", id="speed"), VerticalScroll(id="speed-scroll"):
                yield Static(id="timing")
                yield Static(id="model")
                yield Static(id="place")
                yield Static(id="roof-head")
                yield RooflinePlot(id="roofline")
            with TabPane("4 Source", id="source"):
                yield CodeView(id="graded")

    def on_mount(self) -> None:
        self.show(self.grade, self.source)
        self.query_one("#details-scroll").focus()

    def show(self, grade: Grade, source: str) -> None:
        """A new grade of the same task, in the same place."""
        self.grade, self.source = grade, source
        self._graded_again()
        self.query_one("#headline", Static).update(headline(grade, self.services.text(self.question.title)))
        self.query_one("#details-text", Static).update(Fitted(partial(details, grade, source)))
        for fill in (self._show_memory, self._show_speed, self._show_source):
            self.call_later(fill)  # one by one, so that a key comes in between

    def regrading(self, strip: StageStrip) -> None:
        """A new grade began, which `strip` follows."""
        strip.twin = self.query_one("#stages", Static)
        strip.twin.display = True
        self.refresh_bindings()
        old = words(self.grade.verdict.value)
        text = assemble(("● grading again … ", "$accent"), (f"last time: {old}", "$foreground-muted"))
        self.query_one("#headline", Static).update(text)

    def not_graded(self, why: str) -> None:
        self._graded_again()
        self.query_one("#headline", Static).update(plain(why, "$text-error"))

    def stopped(self) -> None:
        """The new grade was: what is here is the one before."""
        self.show(self.grade, self.source)
        self.tell("stopped; this is the grade before", severity="warning")

    def _graded_again(self) -> None:
        self.query_one("#stages").display = False
        self.refresh_bindings()

    def _show_memory(self) -> None:
        self._rows = worst_first(self.grade.access)
        options = self.query_one("#access", OptionList)
        options.clear_options()
        options.add_options(Option(memory.row(access), id=str(i)) for i, access in enumerate(self._rows))
        if self._rows:
            options.highlighted = 0
            head = plain(memory.COLUMNS, "$foreground-muted")
        else:
            head = plain(_why_no_access(self.grade), "$foreground-muted")
        self.query_one("#memory-head", Static).update(head)
        split = sorted(self.grade.divergence, key=lambda entry: -entry.divergent_branches)
        rows = [memory.divergence_row(entry) for entry in split[:4] if entry.divergent_branches]
        text = lines(heading("Divergence", "branches where a warp splits"), *rows) if rows else ""
        self.query_one("#divergence", Static).update(text)

    def _show_speed(self) -> None:
        grade, task = self.grade, self.question.task
        assert task is not None
        opened = grade.verdict is Verdict.ACCEPTED or self.services.unlocked(self.question.id)
        self._section("#timing", speed.timing(grade.timing))
        self._section("#model", speed.model(grade.model))
        self._section("#place", speed.ladder(grade.ladder, grade.timing) if opened else Content(""))
        device = grade.device if grade.timing else (grade.model.device if grade.model else "")
        roof, found = speed.roof(device), speed.points(grade, task)
        if found:
            remark = (
                f"{roof.device}: {roof.dram_gbps / 1000:.1f} TB/s, {roof.peak_gflops / 1000:.0f} TFLOP/s fp32"
            )
            legend = "digits are rungs, ● your file, measured"
            if grade.timing is None:
                legend = "digits are rungs as recorded"
                legend += ", ◇ the best your traffic allows, modelled" if grade.model else ""
            head = lines(heading("Roofline", remark), plain(f"  {legend}", "$foreground-muted"))
            self.query_one("#roof-head", Static).update(head)
        self.query_one(RooflinePlot).show(roof, found)

    def _show_source(self) -> None:
        self.query_one("#graded", CodeView).show(self.source, self._marks())

    def _section(self, selector: str, text: Content) -> None:
        """An empty section takes no room."""
        section = self.query_one(selector, Static)
        section.update(text)
        section.display = bool(text)

    def _marks(self) -> dict[int, tuple[str, str]]:
        """Lines of the source that something was said about."""
        marks = {access.line: ("▲", "$text-warning") for access in self._rows if _wasteful(access)}
        marks |= {hazard.line: ("✗", "$text-error") for hazard in self.grade.hazards}
        if self.grade.compiled is not None:
            marks |= {d.line: ("✗", "$text-error") for d in self.grade.compiled.diagnostics}
        return marks

    @on(OptionList.OptionSelected, "#access")
    def _picture(self, event: OptionList.OptionSelected) -> None:
        access = self._rows[event.option_index]
        picture = memory.picture(access)
        if picture is None:
            self.tell("no picture was kept of this access")
            return
        below = memory.explanation(access)
        self.app.push_screen(PictureScreen(f"line {access.line}: {access.source.strip()}", picture, below))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._owner.running if action == "stop" else True

    def action_tab(self, name: str) -> None:
        self.query_one(TabbedContent).active = name

    def action_next_tab(self) -> None:
        tabs = self.query_one(TabbedContent)
        tabs.active = TABS[(TABS.index(tabs.active) + 1) % len(TABS)]

    @on(TabbedContent.TabActivated)
    def _focus_content(self, event: TabbedContent.TabActivated) -> None:
        """Arrows work at once in the tab that opens."""
        inside = {
            "details": "#details-scroll",
            "memory": "#access",
            "speed": "#speed-scroll",
            "source": "#graded",
        }
        target = self.query_one(inside[self.query_one(TabbedContent).active])
        target.focus()

    def action_grade(self) -> None:
        self._owner.action_grade()

    def action_stop(self) -> None:
        self._owner.action_stop()

    def action_edit(self) -> None:
        self._owner.action_edit()

    def action_ladder(self) -> None:
        self._owner.action_ladder()

    def action_next_question(self) -> None:
        """A session of one topic: question after question, until you go back."""
        self.practise_next(self.others_of(self.question.topic, self.question.id), self._leave)

    def _leave(self) -> None:
        self.action_back()
        self._owner.action_back()

    def action_back(self) -> None:
        self._owner.result_closed()
        super().action_back()


def _wasteful(access: Access) -> bool:
    cost, ideal = memory.cost_and_ideal(access)
    return cost > ideal


def _why_no_access(grade: Grade) -> str:
    if grade.verdict is not Verdict.ACCEPTED:
        return "Memory accesses are counted once the answer is right."
    return "Nothing was counted in this grade."
