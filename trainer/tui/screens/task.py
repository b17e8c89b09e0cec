"""A kernel task: read what is asked, write the file, grade it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from trainer.bank.model import Question
from trainer.errors import CancelledError, UsageError
from trainer.store.history import EventKind
from trainer.store.workspace import place_starter, submission_path
from trainer.tui.external_editor import edit
from trainer.tui.grading import Graded, GradeJob
from trainer.tui.screens.base import DojoScreen
from trainer.tui.screens.result import ResultScreen
from trainer.tui.text import assemble
from trainer.tui.widgets.code_pane import CodePane
from trainer.tui.widgets.stages import StageStrip
from trainer.tui.widgets.statement import Statement

if TYPE_CHECKING:
    from trainer.grade.grader import Options
    from trainer.grade.result import Grade


class TaskScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "grade", "Grade", id="task.grade", tooltip="Compile, run and judge your file"),
        Binding("x", "stop", "Stop", id="task.stop", tooltip="End the grade that is running, at once"),
        Binding("e", "edit", "Edit", id="task.edit", tooltip="Open your file in $VISUAL or $EDITOR"),
        Binding("E", "edit_here", "Here", id="task.edit_here", tooltip="Edit your file in this window"),
        Binding("w", "watch", "Watch", id="task.watch", tooltip="Grade on every save, on and off"),
        Binding("h", "hint", "Hint", id="task.hint", tooltip="Show the next hint; it is recorded"),
        Binding("l", "ladder", "Ladder", id="task.ladder", tooltip="The reference solutions"),
        Binding(
            "v,f4", "result", "Result", id="task.result", show=False, tooltip="The last verdict once more"
        ),
    ]

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question
        self.watching = False
        self.job: GradeJob | None = None
        self._result: ResultScreen | None = None
        self._last: tuple[Grade, str] | None = None

    @property
    def crumbs(self) -> tuple[str, ...]:
        return (self.question.topic, self.services.text(self.question.title))

    @property
    def path(self) -> Path:
        return submission_path(self.question, self.services.workspace)

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="split"):
            yield Statement(self.question, self.services.language, id="statement")
            yield CodePane(self.path, id="code-pane")
        yield StageStrip(more="   F4 shows all of it", id="stages")
        yield Static("", id="file")

    def on_mount(self) -> None:
        self.query_one("#statement").focus()
        self._show_status()
        self.dojo.grader.prepare(self.services.config.backend)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "stop":
            return self.running
        if action == "result":
            return self._last is not None
        if action == "hint":
            return bool(self.question.hints)
        return True

    @property
    def running(self) -> bool:
        """One that was stopped may take a moment to end, and is over all the same."""
        return self.job is not None and self.job.running and not self.job.cancelled

    @property
    def pane(self) -> CodePane:
        return self.query_one(CodePane)

    # The file

    def _ensure_file(self) -> bool:
        """The starter where there is no file yet. False where that fails; then it has been said."""
        if self.path.exists():
            return True
        try:
            place_starter(self.question, self.services.workspace)
        except UsageError as problem:
            self.tell(str(problem), severity="error")
            return False
        self.tell(f"a starter for you: {self.path}")
        self.pane.show_file()
        self._show_status()
        return True

    @on(CodePane.Changed)
    def _file_changed(self, event: CodePane.Changed) -> None:
        self.set_class(self.pane.editing, "-editing")
        self._show_status()
        if event.saved and self.watching:
            self._grade()

    @on(CodePane.Saved)
    def _file_saved(self, event: CodePane.Saved) -> None:
        if event.then == "close":
            self.set_class(False, "-editing")
            self.query_one("#statement").focus()
            self._show_status()
        if event.then == "grade" or (self.watching and event.wrote):
            self._grade()

    @on(CodePane.Told)
    def _told(self, event: CodePane.Told) -> None:
        self.tell(event.text, severity=event.severity)

    def _show_status(self) -> None:
        state = "watching: every save is graded" if self.watching else ""
        if self.pane.editing:
            state = "Escape saves and closes, Ctrl+R leaves without saving"
        elif not self.pane.exists:
            state = "not there yet, e makes it"
        elif self.pane.has_draft:
            state = "there are edits that were not saved: E shows them"
        told = (f"{state}   ", "$accent") if state else ""
        self.query_one("#file", Static).update(assemble(told, (_short(self.path), "$foreground-muted")))

    def action_edit(self) -> None:
        if not self._ensure_file():
            return
        try:
            edit(self.dojo, self.services.editor, self.path)
        except UsageError as problem:
            self.tell(str(problem), severity="warning")
        self.refresh()
        if self.pane.show_file() and self.watching:
            self._grade()

    def action_edit_here(self) -> None:
        if not self.pane.editing and self._ensure_file():
            self.pane.edit()

    # Grading

    def action_grade(self) -> None:
        if self.pane.changed:
            self.pane.save("grade")
            return
        if self.pane.has_draft:
            self.tell("edits that were not saved are not in this grade; E shows them", severity="warning")
        self._grade()

    def _grade(self) -> None:
        if self.dojo.is_shut(self.question.id):
            return
        if not self.path.exists():
            self.tell(f"there is no file to grade: {self.path}\ne or E makes it", severity="warning")
            return
        strip, choice = self.query_one(StageStrip), self.services.config.backend
        strip.begin("getting ready")
        self.job = strip.follow(
            self.dojo.grader.start(
                self.services.library, self.question, self.path, self._options, choice, strip
            )
        )
        if self._result is not None:
            self._result.regrading(strip)
        self.refresh_bindings()

    def _options(self) -> Options:
        from trainer.grade.grader import Options
        from trainer.sim.devices import find
        from trainer.worker.attempt import draw_seed

        find(self.services.config.device)
        return Options(draw_seed(), device_model=self.services.config.device, language=self.services.language)

    def action_stop(self) -> None:
        if self.running:
            self.dojo.grader.cancel()
            self.query_one(StageStrip).stopped()
            if self._result is not None:
                self._result.stopped()
            self.refresh_bindings()

    @on(Graded)
    def _graded(self, event: Graded) -> None:
        if event.grade is not None:
            self._last = (event.grade, event.source)
            if self._result is not None or not self.pane.editing:  # who types shall not lose the editor
                self._show_result()
        elif not isinstance(event.problem, CancelledError):
            self.tell(str(event.problem), severity="error")
            if self._result is not None:
                self._result.not_graded(str(event.problem))
        self.refresh_bindings()

    def action_result(self) -> None:
        self._show_result()

    def _show_result(self) -> None:
        """On top where it is not yet; else the one that is there shows the new grade."""
        if self._last is None:
            return
        if self._result is not None and self._result.is_attached:
            self._result.show(*self._last)
        elif self.app.screen is self:
            self._result = ResultScreen(self.question, *self._last, task_screen=self)
            self.app.push_screen(self._result)

    def result_closed(self) -> None:
        self._result = self.query_one(StageStrip).twin = None

    # The rest

    def action_watch(self) -> None:
        if not self._ensure_file():
            return
        self.watching = not self.watching
        self._show_status()
        self.tell(f"every save of {self.path.name} is graded" if self.watching else "no longer watching")

    def action_hint(self) -> None:
        if self.dojo.is_shut(self.question.id):
            return
        statement = self.query_one(Statement)
        if statement.show_next_hint():
            self.dojo.note(self.question.id, EventKind.HINT, str(statement.hints_shown))
        else:
            self.tell("there are no more hints")

    def action_ladder(self) -> None:
        from trainer.tui.screens.ladder import LadderScreen

        self.app.push_screen(LadderScreen(self.question, self.path))

    def leave(self) -> None:
        self.pane.keep_draft()

    def action_back(self) -> None:
        if loss := self.loss:
            self.tell(f"{loss} Save it, or leave the editor without saving.", severity="error")
            return
        if self.running:
            self.dojo.grader.cancel()
        super().action_back()


def _short(path: Path) -> str:
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
