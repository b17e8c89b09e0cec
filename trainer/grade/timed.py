"""Timing as part of a grade: the data sets, the request, and whether to believe the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trainer.bank.expressions import evaluate
from trainer.bank.model import KernelTask, Rung
from trainer.grade.backend import Backend, GemmCall, RunRequest, TimeOutcome, TimeRequest
from trainer.grade.cases import Case
from trainer.grade.compare import compare
from trainer.grade.defences import too_fast
from trainer.grade.judge import judge
from trainer.grade.verdict import Verdict

DATA_SETS = 2
"""Timed runs rotate over this many; the outputs of each are checked."""


@dataclass(frozen=True)
class Doubt:
    """Why a time is not accepted."""

    verdict: Verdict
    message: str


def timed_seeds(seed: int) -> tuple[int, ...]:
    return tuple(seed + i for i in range(DATA_SETS))


def time_request(task: KernelTask, cases: Sequence[Case], rungs: Sequence[Rung]) -> TimeRequest:
    return TimeRequest(
        data_sets=tuple(case.arguments for case in cases),
        baselines={rung.id: rung.source.read_text(encoding="utf-8") for rung in rungs},
        dram_bytes=evaluate(task.cost.dram_bytes, task.timed.sizes),
        flops=evaluate(task.cost.flops, task.timed.sizes),
        arithmetic=task.cost.arithmetic,
        library=_library_call(task),
    )


def _library_call(task: KernelTask) -> GemmCall | None:
    call, sizes = task.library, task.timed.sizes
    if call is None:
        return None
    extents = (evaluate(each, sizes) for each in (call.rows, call.inner, call.columns, call.batch))
    return GemmCall(call.left, call.right, call.result, *extents)


def doubt(
    backend: Backend, task: KernelTask, cases: Sequence[Case], timed: TimeOutcome, seed: int
) -> Doubt | None:
    """Check what the timed runs left behind, and that the hardware could have been so fast."""
    if timed.verdict is not None:
        return Doubt(timed.verdict, timed.message)
    for case, outputs in zip(cases, timed.outputs, strict=False):
        if not compare(outputs, case.expected, task.tolerance, case.terms).ok:
            return _wrong_when_timed(backend, task, case, seed)
    message = too_fast(timed.timing)
    return Doubt(Verdict.REJECTED, message) if message else None


def _wrong_when_timed(backend: Backend, task: KernelTask, case: Case, seed: int) -> Doubt:
    """A plain run at the timed size tells a bug that large sizes show from one that timing shows."""
    judged = judge(case, backend.run(RunRequest(case.arguments, seed)), task.tolerance)
    if judged.verdict is not Verdict.ACCEPTED:
        return Doubt(judged.verdict, judged.result.message)
    return Doubt(
        Verdict.REJECTED,
        "right when run once, wrong in the timed runs, which call solve many times on changing data",
    )
