"""Time the rungs of a ladder on this machine's GPU, in a thread of its own."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message
from textual.message_pump import MessagePump

from trainer.bank.model import Question, Rung
from trainer.errors import CancelledError, WarpDojoError
from trainer.tui.services import OpenBackends

if TYPE_CHECKING:
    from trainer.grade.measure import Measured
    from trainer.worker.backends import Backends


@dataclass
class MeasureEnded(Message):
    """`measured` or the `problem` that kept us from it."""

    measured: Measured | None
    problem: WarpDojoError | None = None


class Measuring:
    """One session; `cancel` kills its processes."""

    def __init__(self, open_backends: OpenBackends, target: MessagePump) -> None:
        self._open_backends = open_backends
        self._target = target
        self._backends: Backends | None = None
        self.cancelled = False

    def start(self, question: Question, rungs: tuple[Rung, ...], file: Path | None) -> None:
        arguments = (question, rungs, file)
        threading.Thread(target=self._run, args=arguments, name="measure", daemon=True).start()

    def cancel(self) -> None:
        self.cancelled = True
        if self._backends is not None:
            self._backends.cancel()

    def _run(self, question: Question, rungs: tuple[Rung, ...], file: Path | None) -> None:
        from trainer.grade.measure import measure
        from trainer.grade.submission import read_submission

        try:
            source = read_submission(file) if file is not None else None
            self._backends = self._open_backends("gpu", lambda text: None)
            with self._backends as backends:
                if self.cancelled:
                    raise CancelledError()
                end = MeasureEnded(measure(question, rungs, source, backends.primary))
        except WarpDojoError as problem:
            end = MeasureEnded(None, problem)
        except Exception as problem:
            from trainer.crash import report

            end = MeasureEnded(None, WarpDojoError(report(problem)))
        if not self.cancelled:
            self._target.post_message(end)
