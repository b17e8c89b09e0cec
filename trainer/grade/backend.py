"""What grading asks of a backend. `trainer.sim.backend` and `trainer.gpu.backend` implement it in
process; `trainer.worker.client` implements it by talking to a child process that holds one of them.

Everything here crosses a process boundary, so it is plain data (msgspec encodes it).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from trainer.bank.model import Array, Role
from trainer.cuda.model import Diagnostic, KernelResources, Severity, Signature
from trainer.errors import CompileError, SubmissionError
from trainer.grade.verdict import Verdict
from trainer.sim.report import Access, Divergence, Hazard, LaunchRecord, Model, SimReport


@dataclass(frozen=True)
class Compiled:
    """Answer to `compile`; on failure `ok` is False and `verdict`, `message`, `hint` say why."""

    ok: bool
    entry: str
    kernels: tuple[KernelResources, ...]
    diagnostics: tuple[Diagnostic, ...]
    log: str
    compile_s: float
    verdict: Verdict | None = None
    message: str = ""
    hint: str = ""


def refusal(error: SubmissionError) -> Compiled:
    """What `compile` answers when the front end raised `error`. A place without a compiler message
    becomes one, so that the line is never lost."""
    line = error.where.line or 0 if error.where else 0
    column = error.where.column or 0 if error.where else 0
    diagnostics: tuple[Diagnostic, ...] = ()
    log, verdict = "", Verdict.UNSUPPORTED
    if isinstance(error, CompileError):
        diagnostics, log, verdict = error.diagnostics, error.log, Verdict.COMPILE_ERROR
    if line and not diagnostics:
        diagnostics = (Diagnostic(line, column, Severity.ERROR, error.message),)
    message = f"line {line}: {error.message}" if line else error.message
    return Compiled(False, "", (), diagnostics, log, 0.0, verdict, message, error.hint)


@dataclass(frozen=True)
class ArgumentValue:
    """One argument of one call, in the order of the signature.

    Inputs and scalars carry `value`; outputs carry `shape` and `dtype` and are poisoned, or
    zeroed when `zeroed`.
    """

    name: str
    ctype: str
    role: Role
    dtype: str
    value: Array | int | float | None = None
    shape: tuple[int, ...] = ()
    zeroed: bool = False


@dataclass(frozen=True)
class RunRequest:
    """Run the compiled submission once, with fresh memory, on a fresh module.

    With `fresh_module` False, on the module of the run before: `__device__` variables keep what that
    run left in them, as they do when a program calls `solve` twice, and so do `static` variables of the
    host, and what was allocated and not freed.
    """

    arguments: tuple[ArgumentValue, ...]
    seed: int  # poison pattern and buffer placement
    observe: bool = False  # count accesses and divergence (simulator)
    hazards: bool = True  # look for races and uninitialised reads (simulator)
    device_model: str = "H200"  # what to model when simulating
    budget_s: float = 20.0
    fresh_module: bool = True
    backwards: bool = False  # blocks and warps from the last to the first (simulator)


@dataclass(frozen=True)
class RunOutcome:
    """`verdict` is None when the run itself went well; comparing outputs is grading's job."""

    outputs: dict[str, Array]
    verdict: Verdict | None = None
    message: str = ""
    hint: str = ""
    line: int = 0
    changed_inputs: tuple[str, ...] = ()
    guards_broken: tuple[str, ...] = ()  # "output: 4 bytes written past the end"
    data_dependent: bool = False  # solve read device results back
    report: SimReport | None = None
    launches: tuple[LaunchRecord, ...] = ()
    printed: str = ""
    elapsed_s: float = 0.0
    empty_launch: tuple[str, int] | None = None  # a launch of no blocks, which a GPU refuses: sentence, line


@dataclass(frozen=True)
class GemmCall:
    """A matrix product by cuBLAS on the request's arguments: row after row, result = left x right."""

    left: str
    right: str
    result: str
    rows: int
    inner: int
    columns: int
    batch: int = 1


@dataclass(frozen=True)
class LibraryTime:
    """`name` as people know it: "cuBLAS"."""

    name: str
    median_us: float


@dataclass(frozen=True)
class TimeRequest:
    """Time the compiled submission, interleaved with `baselines` (complete .cu sources by name).

    `data_sets` argument tuples of the same shapes rotate; their outputs come back for checking.
    """

    data_sets: tuple[tuple[ArgumentValue, ...], ...]
    baselines: dict[str, str]
    dram_bytes: int
    flops: int
    arithmetic: str = "fp32"  # what does the flops: "fp32" or "tensor"
    library: GemmCall | None = None  # is timed too, where the library is installed
    cold: bool = True
    budget_s: float = 3.0
    min_samples: int = 20
    record: bool = False  # baselines in samples as long as the submission's: their times are shown or kept


@dataclass(frozen=True)
class Timing:
    """Times in microseconds of one `solve` (all its launches)."""

    median_us: float
    p5_us: float
    p95_us: float
    samples: int
    cold: bool
    gbps: float | None
    tflops: float | None
    floor_us: float
    floor_fraction: float
    sm_clock_mhz: int | None = None
    temperature_c: int | None = None
    stepwise: bool = False  # data-dependent plan: host decisions are inside the time
    efficiency: float | None = None  # of the peak rate of the arithmetic that the task allows
    bandwidth_use: float | None = None  # of the rate of a copy, by the least bytes
    library: LibraryTime | None = None


@dataclass(frozen=True)
class TimeOutcome:
    timing: Timing | None
    baselines: dict[str, Timing]
    outputs: tuple[dict[str, Array], ...] = ()  # one per data set, from a timed replay
    verdict: Verdict | None = None
    message: str = ""


class Backend(Protocol):
    """One loaded submission at a time. Methods never raise for the submission's faults."""

    @property
    def name(self) -> str:
        """"gpu" or "sim"."""

    @property
    def device(self) -> str:
        """e.g. "NVIDIA H200" or "simulator (models H200)"."""

    def compile(self, source: str, signature: Signature) -> Compiled: ...

    def run(self, request: RunRequest) -> RunOutcome: ...

    def time(self, request: TimeRequest) -> TimeOutcome: ...

    def close(self) -> None: ...


__all__ = [
    "Access",
    "ArgumentValue",
    "Backend",
    "Compiled",
    "Divergence",
    "Hazard",
    "LaunchRecord",
    "Model",
    "RunOutcome",
    "RunRequest",
    "TimeOutcome",
    "TimeRequest",
    "Timing",
]
