"""A kernel task: read what is asked, write the file, grade it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from trainer.bank.model import Question
from trainer.errors import CancelledError, UsageError
from trainer.store.history import EventKind
from trainer.store.workspace import (
    Draft,
    Stamp,
    place_starter,
    read_source,
    stamp,
    submission_path,
    write_source,
)
from trainer.tui.external_editor import edit
from trainer.tui.grading import CaseDone, Graded, GradeJob, StageEnded, StageStarted, Warned
from trainer.tui.screens.base import DojoScreen
from trainer.tui.screens.result import ResultScreen
from trainer.tui.text import assemble, mark, plain, words
from trainer.tui.widgets.code import CodeView
from trainer.tui.widgets.editor import CudaEditor
from trainer.tui.widgets.stages import StageStrip
from trainer.tui.widgets.statement import Statement

if TYPE_CHECKING:
    from trainer.grade.grader import Options
    from trainer.grade.result import Grade

LOOK_S = 0.2
"""How often the file is looked at. A look is one `stat`; events are missing on NFS, WSL and in containers."""
DRAFT_S = 0.7
"""Edits are kept this long after the last key."""


class TaskScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "grade", "Grade", id="task.grade", tooltip="Compile, run and judge your file"),
        Binding("x", "stop", "Stop", id="task.stop", tooltip="End the grade that is running, at once"),
        Binding("e", "edit", "Edit", id="task.edit", tooltip="Open your file in $VISUAL or $EDITOR"),
        Binding("E", "edit_here", "Here", id="task.edit_here", tooltip="Edit your file in this window"),
        Binding("w", "watch", "Watch", id="task.watch", tooltip="Grade on every save, on and off"),
        Binding("h", "hint", "Hint", id="task.hint", tooltip="Show the next hint; it is recorded"),
        Binding("l", "ladder", "Ladder", id="task.ladder", tooltip="The reference solutions"),
        Binding("v", "result", "Result", id="task.result", show=False, tooltip="The last verdict once more"),
    ]

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question
        self.watching = False
        self.job: GradeJob | None = None
        self._editing = False
        self._on_disk = ""  # the text that the editor began with or saved last
        self._draft_timer: Timer | None = None
        self._seen: Stamp | None = None
        self._moving: Stamp | None = None  # a save that may not be complete yet
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
            with Vertical(id="code-pane"):
                yield CodeView(id="code")
                yield CudaEditor(id="editor")
        yield StageStrip(id="stages")
        yield Static("", id="file")

    def on_mount(self) -> None:
        self.query_one("#statement").focus()
        self._show_file()
        self.set_interval(LOOK_S, self._look)
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
        return self.job is not None and self.job.running

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
        self._seen = stamp(self.path)
        self.tell(f"a starter for you: {self.path}")
        self._show_file()
        return True

    def _look(self) -> None:
        """A save counts when it looks the same twice: editors write in several steps."""
        now = stamp(self.path)
        if now == self._seen:
            self._moving = None
        elif now is None:
            self._seen = None
            self._show_file()
        elif now == self._moving:
            self._seen, self._moving = now, None
            if self._editing:
                self._changed_under_the_editor()
            self._show_file()
            if self.watching:
                self.action_grade()
        else:
            self._moving = now

    def _show_file(self) -> None:
        self._seen = stamp(self.path)
        if self._seen is None:
            self.query_one(CodeView).show_content(plain("no file yet: e or E makes it", "$foreground-muted"))
        elif not self._editing:
            try:
                self.query_one(CodeView).show(read_source(self.path))
            except UsageError as problem:
                self.query_one(CodeView).show_content(plain(str(problem)))
        self._show_status()

    def _show_status(self) -> None:
        state = "watching: every save is graded" if self.watching else ""
        if self._seen is None:
            state = "not there yet, e makes it"
        elif self._editing:
            state = "F5 saves and grades, Escape saves and closes"
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
        if stamp(self.path) != self._seen:
            self._show_file()
            if self.watching:
                self.action_grade()

    # Editing here

    def action_edit_here(self) -> None:
        if self._editing or not self._ensure_file():
            return
        try:
            text = read_source(self.path)
        except UsageError as problem:
            self.tell(str(problem), severity="error")
            return
        draft = Draft(self.path).read()
        editor = self.query_one(CudaEditor)
        editor.load_text(draft if draft is not None else text)
        if draft is not None and draft != text:
            self.tell("edits that were not saved last time are back; Escape saves them")
        self._editing, self._on_disk = True, text
        self.set_class(True, "-editing")
        self._show_status()
        editor.focus()

    def _changed_under_the_editor(self) -> None:
        """Another program saved the file: follow it where nothing is lost, else say so."""
        try:
            text = read_source(self.path)
        except UsageError:
            return
        editor = self.query_one(CudaEditor)
        if text == editor.text:
            self._on_disk = text
        elif editor.text == self._on_disk:
            self._on_disk = text
            editor.load_text(text)
        else:
            self.tell(
                "another program saved this file; saving here replaces what it wrote", severity="warning"
            )

    @on(CudaEditor.Changed)
    def _edited(self) -> None:
        if self._draft_timer is not None:
            self._draft_timer.stop()
        if self._editing:
            self._draft_timer = self.set_timer(DRAFT_S, self._keep_draft, name="draft")

    def _keep_draft(self) -> None:
        if self._editing:
            try:
                Draft(self.path).keep(self.query_one(CudaEditor).text)
            except UsageError as problem:
                self.tell(str(problem), severity="warning")

    @on(CudaEditor.Asked)
    def _save(self, event: CudaEditor.Asked) -> None:
        editor = self.query_one(CudaEditor)
        try:
            write_source(self.path, editor.text)
        except UsageError as problem:
            self._keep_draft()
            self.tell(f"{problem}\nyour edits are kept as a draft", severity="error")
            return
        if self._draft_timer is not None:
            self._draft_timer.stop()
        Draft(self.path).drop()
        self._on_disk = editor.text
        self._seen = stamp(self.path)
        if event.then == "close":
            self._editing = False
            self.set_class(False, "-editing")
            self.query_one("#statement").focus()
            self._show_file()
        if event.then == "grade" or self.watching:
            self.action_grade()

    # Grading

    def action_grade(self) -> None:
        if not self._ensure_file():
            return
        config = self.services.config
        self.job = self.dojo.grader.start(
            self.services.library, self.question, self.path, self._options, config.backend, self
        )
        self.query_one(StageStrip).begin("getting ready")
        if self._result is not None:
            self._result.regrading()
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
            self.query_one(StageStrip).finish(plain("stopped", "$text-warning"))
            self.refresh_bindings()

    @on(StageStarted)
    def _stage_started(self, event: StageStarted) -> None:
        if event.job is self.job and self.running:
            self.query_one(StageStrip).stage_started(event.stage)

    @on(StageEnded)
    def _stage_ended(self, event: StageEnded) -> None:
        if event.job is self.job and not event.job.cancelled:
            self.query_one(StageStrip).stage_ended(event.stage, event.ok, event.detail, event.elapsed_s)

    @on(CaseDone)
    def _case_done(self, event: CaseDone) -> None:
        if event.job is self.job:
            self.query_one(StageStrip).case_done(event.result, event.done, event.total)

    @on(Warned)
    def _warned(self, event: Warned) -> None:
        self.tell(event.text, severity="warning")

    @on(Graded)
    def _graded(self, event: Graded) -> None:
        if event.job is not self.job:
            return
        self.refresh_bindings()
        strip = self.query_one(StageStrip)
        if isinstance(event.problem, CancelledError):
            strip.finish(plain("stopped", "$text-warning"))
        elif event.problem is not None:
            strip.finish(plain(str(event.problem), "$text-error"))
            self.tell(str(event.problem), severity="error")
            if self._result is not None:
                self._result.not_graded(str(event.problem))
        elif event.grade is not None:
            self._last = (event.grade, event.source)
            strip.finish(_verdict_line(event.grade))
            self.refresh_bindings()
            self._show_result()

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
        self._result = None

    # The rest

    def action_watch(self) -> None:
        if not self._ensure_file():
            return
        self.watching = not self.watching
        self._show_status()
        self.tell(f"every save of {self.path.name} is graded" if self.watching else "no longer watching")

    def action_hint(self) -> None:
        statement = self.query_one(Statement)
        if statement.show_next_hint():
            self.dojo.note(self.question.id, EventKind.HINT, str(statement.hints_shown))
        else:
            self.tell("there are no more hints")

    def action_ladder(self) -> None:
        from trainer.tui.screens.ladder import LadderScreen

        self.app.push_screen(LadderScreen(self.question, self.path))

    def action_back(self) -> None:
        if self.running:
            self.dojo.grader.cancel()
        super().action_back()


def _verdict_line(grade: Grade) -> Content:
    symbol, style = mark(grade.verdict.value)
    return assemble(
        (f"{symbol} {words(grade.verdict.value)}", f"bold {style}"),
        f"  {' '.join(grade.message.split())}",
        ("   v shows all of it", "$foreground-muted"),
    )


def _short(path: Path) -> str:
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
