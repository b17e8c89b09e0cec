"""The parent's backend: asks a child process, and turns what can happen to that child into verdicts."""

from __future__ import annotations

import threading
from types import TracebackType

from trainer.cuda.model import Signature
from trainer.errors import WorkerError
from trainer.grade.backend import Compiled, RunOutcome, RunRequest, TimeOutcome, TimeRequest
from trainer.grade.verdict import Verdict
from trainer.worker import wire
from trainer.worker.limits import DEFAULT_LIMITS, Limits
from trainer.worker.process import Death, WorkerDied, WorkerProcess

_RUNAWAY_HINT = "Look for a loop whose condition never turns false, or a wait for a thread that never comes."


class RemoteBackend:
    """A `Backend` whose work happens in a child process.

    The first process starts at once and gets ready while the caller does other things. A process
    that dies is replaced, and the submission compiled again there, at the next call. `spare=True`
    keeps a second one ready (for the TUI and `watch`; one-shot commands do not pay for it).
    One call at a time; `cancel` and `close` may come from any thread.
    """

    def __init__(self, backend: str, *, spare: bool = False, limits: Limits = DEFAULT_LIMITS) -> None:
        self._backend = backend
        self._keep_spare = spare
        self._limits = limits
        self._lock = threading.Lock()
        self._submission: tuple[str, Signature] | None = None
        self._loaded = False  # whether the current process has compiled the submission
        self._busy = False
        self._closed = False
        self._spare: WorkerProcess | None = None
        self._process = WorkerProcess(backend, limits)

    def __enter__(self) -> RemoteBackend:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def name(self) -> str:
        return self._ready().hello().name

    @property
    def device(self) -> str:
        return self._ready().hello().device

    def compile(self, source: str, signature: Signature) -> Compiled:
        with self._lock:
            self._submission = (source, signature)
            self._loaded = False
            return self._compile()

    def run(self, request: RunRequest) -> RunOutcome:
        deadline_s = request.budget_s + self._limits.run_grace_s
        with self._lock:
            try:
                refused = self._load()
                if refused is not None:
                    return RunOutcome({}, refused.verdict, refused.message, refused.hint)
                outcome: RunOutcome = wire.build(RunOutcome, self._ask("run", (request,), deadline_s))
                return outcome
            except WorkerDied as died:
                verdict, message, hint = self._why_a_run_died(died, request.budget_s)
                return RunOutcome({}, verdict, message, hint)

    def time(self, request: TimeRequest) -> TimeOutcome:
        deadline_s = request.budget_s + self._limits.time_grace_s
        deadline_s += self._limits.baseline_s * len(request.baselines)
        with self._lock:
            try:
                refused = self._load()
                if refused is not None:
                    return TimeOutcome(None, {}, (), refused.verdict, refused.message)
                outcome: TimeOutcome = wire.build(TimeOutcome, self._ask("time", (request,), deadline_s))
                return outcome
            except WorkerDied as died:
                verdict, message, hint = self._why_a_run_died(died, deadline_s)
                return TimeOutcome(None, {}, (), verdict, f"{message} {hint}".strip())

    def cancel(self) -> None:
        """Ends the call in flight in another thread: it raises CancelledError. Else does nothing."""
        if self._busy:
            self._process.cancel()

    def close(self) -> None:
        """Kills the processes. A call in flight in another thread raises CancelledError."""
        self._closed = True
        self.cancel()
        with self._lock:
            self._process.kill()
            if self._spare is not None:
                self._spare.kill()
                self._spare = None

    def _load(self) -> Compiled | None:
        """Makes sure that the process has the submission; what the compiler said if it refuses."""
        if self._submission is None:
            raise WorkerError("nothing was compiled yet", hint="Call compile() before run() or time().")
        if self._loaded and not self._process.spent:
            return None
        compiled = self._compile()
        return None if compiled.ok else compiled

    def _compile(self) -> Compiled:
        assert self._submission is not None
        try:
            answer = self._ask("compile", self._submission, self._limits.compile_s)
        except WorkerDied as died:
            verdict, message, hint = self._why_a_compile_died(died)
            return Compiled(False, "", (), (), message, 0.0, verdict, message, hint)
        compiled: Compiled = wire.build(Compiled, answer)
        self._loaded = compiled.ok
        return compiled

    def _ask(self, operation: str, arguments: tuple[object, ...], deadline_s: float) -> object:
        process = self._ready()
        self._busy = True
        try:
            process.hello()
            self._prepare_spare()
            return process.ask(operation, arguments, deadline_s)
        finally:
            self._busy = False

    def _ready(self) -> WorkerProcess:
        """The current process, or a fresh one if that is spent or was killed while it had nothing to do."""
        if self._closed:
            raise WorkerError("the worker was closed")
        if self._process.spent or self._process.gone:
            self._process.kill()
            if self._spare is not None and self._spare.gone:
                self._spare.kill()
                self._spare = None
            self._process = self._spare or WorkerProcess(self._backend, self._limits)
            self._spare = None
            self._loaded = False
        return self._process

    def _prepare_spare(self) -> None:
        if self._keep_spare and self._spare is None:
            self._spare = WorkerProcess(self._backend, self._limits)

    def _why_a_compile_died(self, died: WorkerDied) -> tuple[Verdict, str, str]:
        if died.death is Death.DEADLINE:
            return (
                Verdict.TIMED_OUT,
                f"the compiler did not finish within {self._limits.compile_s:g} s and was stopped",
                "Templates that instantiate themselves, and loops unrolled a million times, do this.",
            )
        if died.death is Death.MEMORY:
            return (
                Verdict.COMPILE_ERROR,
                f"the compiler used more than {_gb(self._limits.memory_bytes)} and was stopped",
                "Templates that instantiate themselves, and huge static arrays, do this.",
            )
        return (
            Verdict.COMPILE_ERROR,
            f"the compiler crashed on this file ({died.reason})",
            "Halve the file until it compiles to find the construct that it cannot digest.",
        )

    def _why_a_run_died(self, died: WorkerDied, budget_s: float) -> tuple[Verdict, str, str]:
        if died.death is Death.DEADLINE:
            message = f"did not finish within {budget_s:g} s and was stopped"
            return Verdict.TIMED_OUT, message, _RUNAWAY_HINT
        if died.death is Death.MEMORY:
            message = f"used more than {_gb(self._limits.memory_bytes)} of memory and was stopped"
            return Verdict.RUNTIME_ERROR, message, "Look at what is allocated, and how often."
        message = f"the worker process crashed while running this file ({died.reason})"
        return Verdict.RUNTIME_ERROR, message, "If your file is right, please report this."


def _gb(count: int) -> str:
    return f"{count / 1e9:.1f} GB"
