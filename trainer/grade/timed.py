"""Timing as part of a grade: the data sets, the request, and whether to believe the answer."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass

from trainer.bank.expressions import evaluate
from trainer.bank.model import KernelTask, Rung
from trainer.grade.backend import ArgumentValue, Backend, GemmCall, RunRequest, TimeOutcome, TimeRequest
from trainer.grade.cases import Call, Case, answer, draw_call
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


@dataclass(frozen=True)
class Coming:
    """A case of the timed size that is being made: the GPU can start on `call` long before the oracle
    has summed up tens of millions of numbers for `case`."""

    call: Future[Call]
    case: Future[Case]


def draw_timed(task: KernelTask, seed: int, pool: Executor) -> tuple[Coming, ...]:
    """One for each of `timed_seeds`, each made by a thread of `pool`."""

    def make(one_seed: int, drawn: Future[Call]) -> Case:
        try:
            call = draw_call(task, task.timed, one_seed)
        except BaseException as problem:
            drawn.set_exception(problem)
            raise
        drawn.set_result(call)
        return answer(task, call)

    calls: list[Future[Call]] = [Future() for _ in range(DATA_SETS)]
    seeds = timed_seeds(seed)
    return tuple(Coming(call, pool.submit(make, s, call)) for s, call in zip(seeds, calls, strict=True))


def time_request(
    task: KernelTask,
    data_sets: Sequence[tuple[ArgumentValue, ...]],
    rungs: Sequence[Rung],
    *,
    record: bool = False,
) -> TimeRequest:
    """Time a submission for `task` among `rungs`; `record` as in TimeRequest."""
    return TimeRequest(
        data_sets=tuple(data_sets),
        baselines={rung.id: rung.source.read_text(encoding="utf-8") for rung in rungs},
        dram_bytes=evaluate(task.cost.dram_bytes, task.timed.sizes),
        flops=evaluate(task.cost.flops, task.timed.sizes),
        arithmetic=task.cost.arithmetic,
        library=_library_call(task),
        record=record,
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
