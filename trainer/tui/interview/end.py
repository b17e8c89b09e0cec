"""After the end: points of strategy answers are ticked, kernels graded, and the report is read."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from trainer.errors import StoreError, UsageError, WarpDojoError
from trainer.interview.archive import report_of
from trainer.interview.markdown import markdown
from trainer.interview.plan import Asked
from trainer.interview.report import Report, report_json
from trainer.interview.result import Result
from trainer.interview.session import Session
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import assemble, plain
from trainer.tui.widgets.points import PointList
from trainer.tui.widgets.prose import Prose

if TYPE_CHECKING:
    from trainer.worker.backends import Backends


class EndScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go", "Go on", id="end.go", priority=True, tooltip="Keep the ticks"),
        Binding("1", "practise(0)", "Practise", id="end.first", tooltip="What cost most points"),
        Binding("2", "practise(1)", id="end.second", show=False, tooltip="What cost second most"),
        Binding("3", "practise(2)", id="end.third", show=False, tooltip="What cost third most"),
        Binding("w", "write", "Write", id="end.write", tooltip="The report as Markdown and JSON files"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.report: Report | None = None
        self._ticking: Asked | None = None
        self._left = False

    @property
    def crumbs(self) -> tuple[str, ...]:
        return (self.services.text(self.session.state.plan.title), "after the end")

    def compose_body(self) -> ComposeResult:
        yield Static("", id="quiz-head")
        with VerticalScroll(id="quiz"):
            with Vertical(id="points-part"):
                yield Static("", id="said")
                yield Static(plain("A good answer", "bold $accent"))
                yield Prose(id="explanation")
                yield Static(plain("Which of these did you say?", "bold $accent"))
                yield PointList(id="points")
            yield Prose(id="prompt")
        yield Static("", id="quiz-how")

    async def on_mount(self) -> None:
        await self._next_step()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "go":
            return self._ticking is not None
        if action == "practise":
            return self.report is not None and int(str(parameters[0])) < len(self.report.advice)
        if action == "write":
            return self.report is not None
        return True

    def _say(self, head: str, how: str) -> None:
        self.query_one("#quiz-head", Static).update(plain(head, "bold $accent"))
        self.query_one("#quiz-how", Static).update(plain(how, "$foreground-muted"))
        self.refresh_bindings()

    async def _next_step(self) -> None:
        state = self.session.state
        for asked in state.to_tick:
            if await self._tick(asked):
                return
        self._ticking = None
        self.query_one("#points-part").display = False
        if state.to_grade:
            self._say("Grading", "kernels take a moment; Escape leaves, and it goes on when you come back")
            self.query_one("#quiz").focus()
            self._grade()
        else:
            await self._show_report()

    # Ticks

    async def _tick(self, asked: Asked) -> bool:
        """False where the question is not there any more."""
        try:
            question = self.services.library.question(asked.question)
        except WarpDojoError:
            return False
        if question.strategy is None:
            return False
        self._ticking = asked
        answer = self.session.state.answer(asked.key)
        said = assemble(("You wrote", "bold $accent"), "\n", answer.fields.get("words", "") or "nothing")
        self.query_one("#said", Static).update(said)
        await self.query_one("#explanation", Prose).update(self.services.text(question.strategy.answer))
        points = self.query_one(PointList)
        points.show([(p.aspect.value, self.services.text(p.text)) for p in question.strategy.points])
        points.focus(scroll_visible=False)
        part, quiz = self.query_one("#points-part"), self.query_one("#quiz")
        self.call_after_refresh(quiz.scroll_to_widget, part, animate=False, top=True)
        title = self.services.text(question.title)
        self._say(f"{asked.key} {title}", "tick what you said, by number, space or mouse; Enter goes on")
        return True

    async def action_go(self) -> None:
        asked = self._ticking
        if asked is None:
            return
        ticked = self.query_one(PointList).ticked
        try:
            self.session.tick(asked.key, ticked)
        except (UsageError, StoreError) as problem:
            self.tell(str(problem), severity="error")
            return
        await self._next_step()

    # Grading

    def _grade(self) -> None:
        """In a thread that is not waited for; once this screen is left it stops after what it is at."""
        services, grader = self.services, self.dojo.grader
        state, choice = self.session.state, services.config.backend

        def warn(text: str) -> None:
            self.app.call_later(self.tell, text, severity="warning")

        def work() -> None:
            from trainer.interview.grading import Grading  # NumPy

            def backends() -> Backends:
                return grader.backends(choice, warn)

            device = services.config.device
            grading = Grading(services.library, services.language, backends, services.now, warn, device)
            try:
                for result in grading.results(state):
                    if self._left:
                        return
                    self.app.call_later(self._graded, result)
            except WarpDojoError as problem:
                self.app.call_later(self._say, "Not graded yet", str(problem))

        threading.Thread(target=work, name="grade interview", daemon=True).start()

    def _graded(self, result: Result) -> None:
        from trainer.interview.judge import as_data

        state = self.session.state
        try:
            self.session.graded(result.key, as_data(result))
        except (UsageError, StoreError) as problem:
            self.tell(str(problem), severity="error")
            return
        if not self.is_attached or self._left:
            return
        count = len(state.plan.asked)
        done = count - len(state.to_grade)
        self._say(f"Grading: {done} of {count}", "kernels take a moment")
        if not state.to_grade:
            self.run_worker(self._show_report(), exit_on_error=False)

    # The report

    async def _show_report(self) -> None:
        self.report = report_of(self.session.log, self.session.id)
        await self.query_one("#prompt", Prose).update(markdown(self.report, self.services.language))
        count = len(self.report.advice)
        practise = f"1{f'-{count}' if count > 1 else ''} opens what to practise next; " if count else ""
        self._say("Report", f"{practise}w writes it; Escape closes")
        self.query_one("#quiz").focus()
        self.query_one("#quiz").scroll_home(animate=False)

    def action_practise(self, which: int) -> None:
        if self.report is not None:
            self.dojo.open_question(self.report.advice[which].question)

    def action_write(self) -> None:
        if self.report is None:
            return
        folder = self.services.workspace / "interviews" / self.session.id
        try:
            folder.mkdir(parents=True, exist_ok=True)
            text = markdown(self.report, self.services.language)
            (folder / "report.md").write_text(text, encoding="utf-8")
            data = json.dumps(report_json(self.report), ensure_ascii=False, indent=2)
            (folder / "report.json").write_text(data + "\n", encoding="utf-8")
        except OSError as problem:
            self.tell(f"cannot be written: {problem}", severity="error")
            return
        self.tell(f"written: {folder}/report.md and report.json")

    def leave(self) -> None:
        self._left = True

    def action_back(self) -> None:
        self.leave()
        if self.report is None:
            self.dojo.grader.discard()
        super().action_back()
