"""A kernel in an interview: the same file and editors as in practice; hints and ladder stay shut."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static

from trainer.bank.model import Question
from trainer.errors import UsageError, WarpDojoError
from trainer.grade.reporter import Stage
from trainer.interview.blueprint import Run
from trainer.interview.facts import as_data, from_data, of_compilation, of_grade
from trainer.interview.plan import Asked
from trainer.interview.state import Answer
from trainer.store.workspace import place_starter, read_source, submission_path
from trainer.tui.external_editor import edit
from trainer.tui.grading import Graded, GradeJob
from trainer.tui.interview.pane import Desk, Pane
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import assemble, plain, words
from trainer.tui.widgets.code_pane import CodePane
from trainer.tui.widgets.editor import CudaEditor
from trainer.tui.widgets.stages import StageStrip
from trainer.tui.widgets.statement import Statement

KEEP_S = 2.0
"""Text in the editor is at most this long nowhere but in memory and in the draft."""
_EXPLAIN = (
    ("bound", "memory, …"),
    ("flops", "FLOP, e.g. 2e9"),
    ("bytes", "e.g. 1.2 GB"),
)


class KernelPane(Pane):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "run", "Run", id="interview.run", tooltip="Compile, and where allowed run, your file"),
        Binding("x", "stop", "Stop", id="interview.stop", tooltip="End the run, at once"),
        Binding("e", "edit", "Edit", id="interview.edit", tooltip="Open your file in your editor"),
        Binding("E", "edit_here", "Here", id="interview.edit_here", tooltip="Edit your file in this window"),
        Binding("b", "explain", "Bound", id="interview.explain", tooltip="Bound, operations and bytes"),
    ]

    def __init__(self, asked: Asked, question: Question, answer: Answer, desk: Desk, folder: Path) -> None:
        super().__init__(asked, question, answer, desk)
        self.job: GradeJob | None = None
        self._folder = folder
        self._timer: Timer | None = None
        runs = {
            Run.GRADE: "g runs it",
            Run.COMPILE: "g only compiles it",
            Run.NONE: "no compiler before the end",
        }
        self.how = f"E or e edits, {runs[asked.run]}, b explains it, H hands in"

    @property
    def path(self) -> Path:
        return submission_path(self.question, self._folder)

    @property
    def code(self) -> CodePane:
        return self.query_one(CodePane)

    def compose(self) -> ComposeResult:
        yield Static(self._stage(), id="interview-stage")
        with Horizontal(id="split"):
            yield Statement(self.question, self.language, id="statement")
            yield CodePane(self.path, id="code-pane")
        with Vertical(id="explain"):
            size = self.question.task.timed.name if self.question.task else ""
            ask = f"On an H200, {size}: bound, FLOP, least bytes"
            yield Static(plain(ask, "$foreground-muted"), id="explain-ask")
            with Horizontal(id="explain-fields"):
                for name, hint in _EXPLAIN:
                    value = self.answer.fields.get(name, "")
                    yield Input(value, placeholder=hint, compact=True, id=f"explain-{name}")
        yield StageStrip(hidden=frozenset({Stage.PLACE}), id="stages")

    def _stage(self) -> Content:
        stages, done = self.asked.stages, self.answer.handed_in
        if not stages or done >= len(stages):
            return Content("")
        goal = self.dojo.services.text(stages[done])
        return assemble((f"{done + 1} of {len(stages)}  ", "bold $accent"), goal)

    def on_mount(self) -> None:
        self.query_one("#interview-stage").display = bool(self.asked.stages)
        if not self.path.exists():
            try:
                place_starter(self.question, self._folder)
            except UsageError as problem:
                self.dojo.tell(str(problem), severity="error")
        self.code.show_file()
        if self.asked.run is not Run.NONE:
            self.dojo.grader.prepare(self.dojo.services.config.backend)

    def focus_first(self) -> None:
        self.query_one("#statement").focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "run":
            return self.asked.run is not Run.NONE
        if action == "stop":
            return self.job is not None and self.job.running
        return True

    # The file and the explanation

    @on(Input.Changed)
    def _explaining(self) -> None:
        fields = {name: self.query_one(f"#explain-{name}", Input).value for name, _ in _EXPLAIN}
        self.desk.typed(self.asked.key, fields)

    @on(Input.Submitted)
    def _explained(self, event: Input.Submitted) -> None:
        event.stop()
        names = [name for name, _ in _EXPLAIN]
        at = names.index(str(event.input.id).removeprefix("explain-"))
        if at + 1 < len(names):
            self.query_one(f"#explain-{names[at + 1]}", Input).focus()
        else:
            self.focus_first()

    @on(CodePane.Changed)
    def _file_changed(self, event: CodePane.Changed) -> None:
        event.stop()
        self.screen.set_class(self.code.editing, "-editing")
        if event.saved:
            self.keep()

    @on(CodePane.Saved)
    def _file_saved(self, event: CodePane.Saved) -> None:
        event.stop()
        self.keep()
        if event.then == "close":
            self.screen.set_class(False, "-editing")
            self.focus_first()
        if event.then == "grade":
            self.action_run()

    @on(CodePane.Told)
    def _told(self, event: CodePane.Told) -> None:
        self.dojo.tell(event.text, severity=event.severity)

    @on(CudaEditor.Changed)
    def _editing(self) -> None:
        if self.code.editing and self._timer is None:
            self._timer = self.set_timer(KEEP_S, self.keep)

    def keep(self) -> None:
        """The text as it is now; an untouched starter is no answer."""
        self._timer = None
        text = self._changed_text()
        if text is not None:
            self.desk.kept(self.asked.key, text)

    def _changed_text(self) -> str | None:
        """None while it is the starter."""
        text = self._text()
        starter = self.question.task.starter.read_text(encoding="utf-8") if self.question.task else ""
        return None if text == starter else text

    def _saved_at(self) -> datetime:
        """When the file was written last, by the clock of the app."""
        now = self.dojo.services.now()
        try:
            age_s = max(0.0, time.time() - self.path.stat().st_mtime)
        except OSError:
            age_s = 0.0
        return now - timedelta(seconds=age_s)

    def _text(self) -> str | None:
        if self.code.editing:
            return self.query_one(CudaEditor).content
        try:
            return read_source(self.path)
        except UsageError:
            return None

    def action_explain(self) -> None:
        self.query_one("#explain-bound", Input).focus()

    def action_edit(self) -> None:
        try:
            edit(self.dojo, self.dojo.services.editor, self.path)
        except UsageError as problem:
            self.dojo.tell(str(problem), severity="warning")
        self.refresh()
        self.code.show_file()
        self.desk.returned(self.asked.key, self._changed_text(), self._saved_at())

    def action_edit_here(self) -> None:
        if not self.code.editing:
            self.code.edit()

    # Compiling and running

    def action_run(self) -> None:
        if self.asked.run is Run.NONE:
            self.dojo.tell("nothing is compiled before the end")
            return
        strip = self.query_one(StageStrip)
        strip.begin("getting ready")
        if self.asked.run is Run.COMPILE:
            self._compile()
            return
        services = self.dojo.services
        self.job = strip.follow(
            self.dojo.grader.start(
                services.library, self.question, self.path, self._options, services.config.backend, strip
            )
        )
        self.refresh_bindings()

    def _options(self) -> Any:
        from trainer.grade.options import Options
        from trainer.worker.attempt import draw_seed

        services = self.dojo.services
        return Options(draw_seed(), device_model=services.config.device, language=services.language)

    def _compile(self) -> None:
        text, task = self._text() or "", self.question.task
        assert task is not None
        choice, grader = self.dojo.services.config.backend, self.dojo.grader

        def work() -> tuple[str, str, dict[str, Any]]:
            """What went wrong; else the registers of the kernels and the facts."""
            try:
                compiled = grader.backends(choice, lambda told: None).primary.compile(text, task.signature)
            except WarpDojoError as problem:
                return str(problem), "", {}
            kernels = ", ".join(
                f"{k.name}: {k.registers} registers" for k in compiled.kernels if k.registers is not None
            )
            return "", kernels, as_data(of_compilation(compiled))

        def then(found: tuple[str, str, dict[str, Any]]) -> None:
            problem, kernels, data = found
            if not self.is_attached:
                return
            if problem:
                self.query_one(StageStrip).finish(plain(problem, "$text-error"))
            else:
                self._compiled(data, kernels, text)

        cast(DojoScreen, self.screen).in_background(work, then)

    def _compiled(self, data: dict[str, Any], kernels: str, text: str) -> None:
        facts = from_data(data)
        if facts.verdict == "compiled":
            told = assemble(("✓ compiles", "bold $text-success"), f"  {kernels}")
        else:
            told = assemble(
                (f"✗ {words(facts.verdict)}", "bold $text-error"), f"  {' '.join(facts.message.split())}"
            )
        self.query_one(StageStrip).finish(told)
        self.desk.kept(self.asked.key, text, data)

    def action_stop(self) -> None:
        if self.job is not None and self.job.running:
            self.dojo.grader.cancel()
            self.query_one(StageStrip).stopped()

    @on(Graded)
    def _graded(self, event: Graded) -> None:
        self.refresh_bindings()
        if event.grade is not None and self.question.task is not None:
            facts = as_data(of_grade(self.question.task, event.grade))
            self.desk.kept(self.asked.key, event.source, facts)
