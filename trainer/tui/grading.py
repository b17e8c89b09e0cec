"""Grades in threads of their own. What happens is posted to a screen, in order, as messages.

The threads are daemons: a pool of Textual's or asyncio's would be waited for at exit.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message
from textual.message_pump import MessagePump

from trainer.errors import CancelledError, StoreError, WarpDojoError
from trainer.grade.reporter import Reporter, Stage
from trainer.grade.verdict import CaseResult
from trainer.tui.services import OpenBackends

if TYPE_CHECKING:
    from trainer.bank.library import Library
    from trainer.bank.model import Question
    from trainer.grade.grader import Options
    from trainer.grade.result import Grade
    from trainer.worker.backends import Backends


@dataclass
class StageStarted(Message):
    job: GradeJob
    stage: Stage


@dataclass
class StageEnded(Message):
    job: GradeJob
    stage: Stage
    ok: bool
    detail: str
    elapsed_s: float


@dataclass
class CaseDone(Message):
    job: GradeJob
    result: CaseResult
    done: int
    total: int


@dataclass
class Graded(Message):
    """The end: a grade with the text it belongs to, or the problem that kept it from one."""

    job: GradeJob
    grade: Grade | None = None
    source: str = ""
    problem: WarpDojoError | None = None


@dataclass
class Warned(Message):
    text: str


class Grader:
    """Keeps worker processes ready between grades. One grade at a time; a new one ends the old."""

    def __init__(self, open_backends: OpenBackends) -> None:
        self._open_backends = open_backends
        self._lock = threading.Lock()
        self._backends: Backends | None = None
        self._choice = ""
        self.job: GradeJob | None = None

    def start(
        self,
        library: Library,
        question: Question,
        path: Path,
        options: Callable[[], Options],
        choice: str,
        target: MessagePump,
    ) -> GradeJob:
        """Grade the file at `path`; the messages above go to `target`. `options` is called in the thread."""
        self.cancel()
        job = self.job = GradeJob(target)
        arguments = (library, question, path, options, lambda: self.backends(choice, job.warn), self)
        threading.Thread(target=job.run, args=arguments, name="grade", daemon=True).start()
        return job

    def prepare(self, choice: str) -> None:
        """Let the worker processes get ready in the background."""

        def work() -> None:
            try:
                self.backends(choice, lambda text: None)
            except WarpDojoError:
                return  # the grade itself says it

        threading.Thread(target=work, name="prepare", daemon=True).start()

    def backends(self, choice: str, warn: Callable[[str], None]) -> Backends:
        with self._lock:
            if self._backends is not None and self._choice != choice:
                self._backends.close()
                self._backends = None
            if self._backends is None:
                self._backends, self._choice = self._open_backends(choice, warn), choice
            return self._backends

    def cancel(self) -> None:
        """End the grade that is running, wherever it is: its processes are killed, not asked."""
        job = self.job
        if job is not None and job.running:
            job.cancelled = True
            self.discard()

    def discard(self) -> None:
        """Kill the processes. Closing may wait for a thread that is just starting one: not here."""
        backends, self._backends = self._backends, None
        if backends is not None:
            backends.cancel()
            threading.Thread(target=backends.close, name="close", daemon=True).start()

    def close(self) -> None:
        self.cancel()
        self.discard()


class GradeJob(Reporter):
    """One grade. As the `Reporter` it is called between runs, where it also notices a cancellation."""

    def __init__(self, target: MessagePump) -> None:
        self._target = target
        self.cancelled = False
        self.running = True

    def run(
        self,
        library: Library,
        question: Question,
        path: Path,
        options: Callable[[], Options],
        backends: Callable[[], Backends],
        grader: Grader,
    ) -> None:
        try:
            from trainer.worker import attempt  # NumPy: not before somebody grades

            grade, source = attempt.grade_file(library, question, path, options(), backends, self)
            self._check()
            self._remember(grade, source)
            end = Graded(self, grade, source)
        except WarpDojoError as problem:
            end = Graded(self, problem=CancelledError() if self.cancelled else problem)
        except Exception as problem:
            from trainer.crash import report

            end = Graded(self, problem=CancelledError() if self.cancelled else WarpDojoError(report(problem)))
        self.running = False
        self._target.post_message(end)

    def _remember(self, grade: Grade, source: str) -> None:
        from trainer.worker import attempt

        try:
            attempt.remember(grade, source)
        except StoreError as problem:
            self.warn(f"this attempt is not in your history: {problem}")

    def warn(self, text: str) -> None:
        self._target.post_message(Warned(text))

    def _check(self) -> None:
        if self.cancelled:
            raise CancelledError()

    def stage_started(self, stage: Stage) -> None:
        self._check()
        self._target.post_message(StageStarted(self, stage))

    def stage_ended(self, stage: Stage, ok: bool, detail: str, elapsed_s: float) -> None:
        self._target.post_message(StageEnded(self, stage, ok, detail, elapsed_s))

    def case_done(self, result: CaseResult, done: int, total: int) -> None:
        self._check()
        self._target.post_message(CaseDone(self, result, done, total))
