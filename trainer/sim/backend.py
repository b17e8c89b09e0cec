"""`SimBackend`: a submission on the simulated GPU, checked, counted and explained."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from trainer.bank.model import Array
from trainer.cuda.compile import compile_submission
from trainer.cuda.model import Program, Signature
from trainer.errors import (
    CompileError,
    SubmissionError,
    TimeLimitError,
    UnsupportedError,
    WorkerError,
)
from trainer.grade.backend import Compiled, RunOutcome, RunRequest, TimeOutcome, TimeRequest, refusal
from trainer.grade.verdict import Verdict
from trainer.ptx.engine import Engine
from trainer.ptx.parse import parse_module
from trainer.sim import devices
from trainer.sim.arguments import BoundArguments
from trainer.sim.device import SimDevice
from trainer.sim.hints import hint_for
from trainer.sim.output import DeviceOutput
from trainer.sim.process import SimProcess, Watching
from trainer.sim.report import Hazard, HazardKind
from trainer.sim.watch import WatchedAccess, WatchedKernel

USER_FILE = "submission.cu"


@dataclass
class _Loaded:
    """A compiled program, ready to run with or without instrumentation."""

    program: Program
    output: DeviceOutput
    engines: dict[bool, Engine] = field(default_factory=dict)
    kernels: dict[bool, dict[str, WatchedKernel]] = field(default_factory=dict)
    process: SimProcess | None = None  # as the last run left it, for one that goes on from there

    def engine(self, *, watched: bool) -> Engine:
        if watched not in self.engines:
            module = parse_module(self.program.device_ptx, USER_FILE)
            access = WatchedAccess() if watched else None
            self.engines[watched] = Engine(module, access=access, traps=self.output.traps())
            self.kernels[watched] = {}
        return self.engines[watched]

    def start(self, watching: Watching, seed: int, *, fresh: bool) -> SimProcess:
        """A new process, or the one of the last run, if there is one that watches the same."""
        kept, self.process = self.process, None  # nobody's until the run has come to its end
        if kept is not None and not fresh and kept.watching == watching:
            return kept
        if kept is not None:
            kept.close()
        return self.started(watching, seed)

    def started(self, watching: Watching, seed: int) -> SimProcess:
        """Beside the process of the last run."""
        return SimProcess(self.program, self.engine(watched=watching.watched), watching, seed)

    def close(self) -> None:
        if self.process is not None:
            self.process.close()


@dataclass
class _Run:
    """One run in memory of its own."""

    device: SimDevice
    arguments: BoundArguments
    error: SubmissionError | None = None
    data_dependent: bool = False
    printed: str = ""
    empty_launch: tuple[str, int] | None = None

    @property
    def hazards(self) -> list[Hazard]:
        return self.device.recording.hazards


class SimBackend:
    """A `trainer.grade.backend.Backend` that needs no GPU."""

    name = "sim"

    def __init__(self, model: str = "H200") -> None:
        self._model = devices.find(model)
        self._loaded: _Loaded | None = None

    @property
    def device(self) -> str:
        return f"simulator (models {self._model.name})"

    def warm_up(self) -> None:
        """What the first submission should not wait for: LLVM loaded, the scheduler compiled."""
        from trainer.ptx.compiled import runtime

        runtime(32)
        runtime(1)

    def compile(self, source: str, signature: Signature) -> Compiled:
        self.close()
        try:
            program = compile_submission(source, signature)
        except (CompileError, UnsupportedError) as error:
            return refusal(error)
        self._loaded = _Loaded(program, DeviceOutput())
        return Compiled(
            True, program.entry, program.kernels, program.diagnostics, program.log, program.compile_s
        )

    def run(self, request: RunRequest) -> RunOutcome:
        loaded = self._compiled()
        started = time.monotonic()
        deadline = started + request.budget_s
        self._model = devices.find(request.device_model)
        watched = request.observe or request.hazards
        run = self._run(loaded, request, deadline, watched=watched, backwards=request.backwards)
        benign = self._is_benign(loaded, request, run, deadline)
        report = run.device.recording.report(
            observed=request.observe,
            printed=run.printed,
            fatal_kept=lambda hazard: not (benign and _may_be_benign(hazard)),
        )
        fatal = next((h for h in report.hazards if h.fatal), None)
        verdict, message, hint, line = _verdict(run.error, fatal, loaded.program.source)
        return RunOutcome(
            outputs=run.arguments.outputs() if run.error is None else {},
            verdict=verdict,
            message=message,
            hint=hint,
            line=line,
            changed_inputs=run.arguments.changed_inputs(),
            data_dependent=run.data_dependent,
            report=report,
            launches=report.launches,
            printed=run.printed,
            elapsed_s=time.monotonic() - started,
            empty_launch=run.empty_launch,
        )

    def time(self, request: TimeRequest) -> TimeOutcome:
        """The simulator has no time of its own."""
        return TimeOutcome(None, {})

    def close(self) -> None:
        if self._loaded is not None:
            self._loaded.close()
        self._loaded = None

    def _compiled(self) -> _Loaded:
        if self._loaded is None:
            raise WorkerError("nothing was compiled yet")
        return self._loaded

    def _run(
        self, loaded: _Loaded, request: RunRequest, deadline: float, *, watched: bool, control: bool = False,
        backwards: bool = False,
    ) -> _Run:  # fmt: skip
        """Run `solve` once. `control`: once more, with other garbage in memory."""
        watching = Watching(watched, shadows=request.hazards and watched)
        if control:
            process = loaded.started(watching, request.seed + 7919)
        else:
            process = loaded.start(watching, request.seed, fresh=request.fresh_module)
        going_on = False
        loaded.output.clear()
        try:
            arguments = process.bind(request.arguments)
            device = SimDevice(
                loaded.program, loaded.engine(watched=watched), process.memory, self._model,
                loaded.kernels[watched], counting=request.observe and watched, hazards=watching.shadows,
                deadline=deadline, backwards=backwards, dynamic=process.dynamic,
            )  # fmt: skip
            run = _Run(device, arguments)
            loaded.output.device = device
            try:
                budget = max(deadline - time.monotonic(), 0.01)
                host = process.host(device).call(arguments.values, device, budget_s=budget)
                run.data_dependent, run.printed = host.data_dependent, host.printed
                run.empty_launch = host.empty_launch
                going_on = not control
            except SubmissionError as error:
                run.error = error
            device.finish()
            run.printed = loaded.output.text + run.printed
            return run
        finally:
            if going_on:
                loaded.process = process
            else:
                process.close()

    def _is_benign(self, loaded: _Loaded, request: RunRequest, run: _Run, deadline: float) -> bool:
        """Whether the fatal findings turn out not to matter: a control run with other garbage in memory,
        and blocks and warps in the opposite order, has the same outputs. Only garbage that was read,
        the end of a vector that reaches over its array included, and conflicts in global memory can be
        excused so.
        """
        fatal = [h for h in run.hazards if h.fatal]
        if run.error is not None or not fatal or not all(map(_may_be_benign, fatal)):
            return False
        races = any(h.kind is HazardKind.GLOBAL_RACE for h in fatal)
        backwards = races != request.backwards
        control = self._run(loaded, request, deadline, watched=True, control=True, backwards=backwards)
        if control.error is not None:
            return False
        return _equal(run.arguments.outputs(), control.arguments.outputs(), exact=not races)


def _may_be_benign(hazard: Hazard) -> bool:
    """Where writes meet, one of them is lost: sums come out right in any order of blocks, and yet miss
    what two blocks add at the same time."""
    if hazard.kind is HazardKind.GLOBAL_RACE:
        return not hazard.overwrites
    return hazard.straddles or hazard.kind is HazardKind.UNINITIALISED_READ


def _equal(a: dict[str, Array], b: dict[str, Array], *, exact: bool) -> bool:
    """Bit for bit, or - where atomics may have added in another order - but for rounding."""
    if exact:
        return all(np.array_equal(a[name].view(np.uint8), b[name].view(np.uint8)) for name in a)
    return all(np.allclose(a[name], b[name], rtol=1e-4, atol=1e-6, equal_nan=True) for name in a)


def _verdict(
    error: SubmissionError | None, fatal: Hazard | None, source: str
) -> tuple[Verdict | None, str, str, int]:
    """Verdict, message, hint and line of a run of `source` that ended with `error` and found `fatal`."""
    if isinstance(error, TimeLimitError):
        return Verdict.TIMED_OUT, error.message, error.hint, _line(error)
    if isinstance(error, UnsupportedError):
        return Verdict.UNSUPPORTED, error.message, error.hint, _line(error)
    if fatal is not None:
        return Verdict.HAZARD, fatal.message, hint_for(fatal, source), fatal.line
    if error is not None:
        return Verdict.RUNTIME_ERROR, error.message, error.hint, _line(error)
    return None, "", "", 0


def _line(error: SubmissionError) -> int:
    return error.where.line or 0 if error.where else 0
