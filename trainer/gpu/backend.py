"""`GpuBackend`: a submission on the GPU of this process, checked and timed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from trainer.cuda.compile import compile_submission
from trainer.cuda.model import Program, Signature
from trainer.cuda.plan import HostRun
from trainer.errors import SubmissionError, TimeLimitError, UnsupportedError, WorkerError
from trainer.gpu import faults
from trainer.gpu.arguments import BoundArguments
from trainer.gpu.device import GpuDevice, properties, with_resources
from trainer.gpu.driver import Driver, DriverError
from trainer.gpu.probe import require
from trainer.gpu.process import GpuProcess
from trainer.gpu.timed import Stopwatch
from trainer.grade.backend import Compiled, RunOutcome, RunRequest, TimeOutcome, TimeRequest, refusal
from trainer.grade.verdict import Verdict

# Baselines compile once per process: the next submission to the same task finds them ready.
MAX_CACHED_PROGRAMS = 64

_SMALLEST = '__global__ void k() {} extern "C" void solve() { k<<<1, 1>>>(); }'
_NO_PARAMETERS = Signature("solve", ())

# NVRTC compiles on as many threads as ask, but the memory of each counts.
COMPILE_THREADS = 4


class GpuBackend:
    """A `trainer.grade.backend.Backend`. After `spent` is True the process is of no further use."""

    name = "gpu"

    def __init__(self) -> None:
        require()
        self._driver = Driver()
        self._about = properties(self._driver)
        self._arch = "compute_{}{}".format(*self._about.compute_capability)
        self._program: Program | None = None
        self._process: GpuProcess | None = None  # as the last run left it, for one that goes on from there
        self._baselines: dict[tuple[str, Signature], Program] = {}
        self._signature: Signature | None = None
        self._stopwatch: Stopwatch | None = None
        self.spent = False

    @property
    def device(self) -> str:
        return self._about.name

    def warm_up(self) -> None:
        """What the first submission should not wait for: compiler, engine and kernels loaded once."""
        self.compile(_SMALLEST, _NO_PARAMETERS)
        self.run(RunRequest((), seed=0))
        self._drop_process()
        self._program = self._signature = None
        self._stopwatch = Stopwatch(self._driver, self._about)

    def compile(self, source: str, signature: Signature) -> Compiled:
        self._drop_process()
        self._program, self._signature = None, signature
        try:
            program = compile_submission(source, signature, arch=self._arch)
        except SubmissionError as error:
            return refusal(error)
        self._program = program
        return Compiled(
            True, program.entry, program.kernels, program.diagnostics, program.log, program.compile_s
        )

    def run(self, request: RunRequest) -> RunOutcome:
        program = self._compiled()
        started = time.monotonic()
        device: GpuDevice | None = None
        going_on = False
        try:
            process = self._take_process(program, request)
            arguments = process.bind(request.arguments)
            device = process.device()
            host = process.host(device).call(arguments.values, device, budget_s=request.budget_s)
            device.synchronize()
            outcome = _outcome(process, arguments, device, host, time.monotonic() - started)
            going_on = True
            return outcome
        except (SubmissionError, DriverError) as error:
            self.spent = self.spent or _is_deadly(error) or (device is not None and device.dead)
            launches = tuple(device.launches) if device else ()
            verdict, message, hint, line = _verdict(error)
            return RunOutcome({}, verdict, message, hint, line, launches=launches)
        finally:
            if not going_on:
                self._drop_process()

    def time(self, request: TimeRequest) -> TimeOutcome:
        program = self._compiled()
        self._drop_process()
        stopwatch = self._stopwatch = self._stopwatch or Stopwatch(self._driver, self._about)
        try:
            return stopwatch.time(program, self._compile_baselines(request.baselines), request)
        except (SubmissionError, DriverError) as error:
            self.spent = self.spent or stopwatch.dead or _is_deadly(error)
            verdict, message, hint, _line = _verdict(error)
            return TimeOutcome(None, {}, (), verdict, f"{message} {hint}".strip())

    def close(self) -> None:
        self._drop_process()

    def _compiled(self) -> Program:
        if self._program is None:
            raise WorkerError("nothing was compiled yet")
        return self._program

    def _compile_baselines(self, sources: Mapping[str, str]) -> dict[str, Program]:
        """Those that compile: a broken rung in somebody's bank is no fault of the submission."""
        assert self._signature is not None
        signature = self._signature
        if len(self._baselines) + len(sources) > MAX_CACHED_PROGRAMS:
            self._baselines.clear()
        missing = {source for source in sources.values() if (source, signature) not in self._baselines}

        def compile_one(source: str) -> Program | None:
            try:
                return compile_submission(source, signature, arch=self._arch, from_cache=True)
            except SubmissionError:
                return None

        with ThreadPoolExecutor(COMPILE_THREADS) as pool:
            compiled = dict(zip(missing, pool.map(compile_one, missing), strict=True))
        for source, program in compiled.items():
            if program is not None:
                self._baselines[source, signature] = with_resources(self._driver, program)
        found = {name: self._baselines.get((source, signature)) for name, source in sources.items()}
        return {name: program for name, program in found.items() if program is not None}

    def _take_process(self, program: Program, request: RunRequest) -> GpuProcess:
        """One with variables as the file initialises them, or the one of the last run."""
        if request.fresh_module or self._process is None:
            self._drop_process()
            self._process = GpuProcess(self._driver, self._about, program, request.seed)
        return self._process

    def _drop_process(self) -> None:
        if self._process is not None and not self.spent:
            self._process.close()
        self._process = None


def _outcome(
    process: GpuProcess, arguments: BoundArguments, device: GpuDevice, host: HostRun, elapsed_s: float
) -> RunOutcome:
    return RunOutcome(
        outputs=arguments.outputs(),
        changed_inputs=arguments.changed_inputs(),
        guards_broken=process.memory.broken_guards(),
        data_dependent=device.plan.data_dependent,
        launches=tuple(device.launches),
        printed=host.printed,
        elapsed_s=elapsed_s,
        empty_launch=host.empty_launch,
    )


def _is_deadly(error: Exception) -> bool:
    return isinstance(error, DriverError) and faults.is_deadly(error)


def _verdict(error: SubmissionError | DriverError) -> tuple[Verdict, str, str, int]:
    """Verdict, message, hint and line for what ended a run."""
    if isinstance(error, DriverError):
        return _verdict(faults.fault(error))
    line = error.where.line or 0 if error.where else 0
    verdict = {TimeLimitError: Verdict.TIMED_OUT, UnsupportedError: Verdict.UNSUPPORTED}.get(
        type(error), Verdict.RUNTIME_ERROR
    )
    return verdict, error.message, error.hint, line
