"""Time the rungs of a ladder, and a file against them, in one session on one GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trainer.bank.model import Question, Rung
from trainer.grade.backend import Backend, Timing
from trainer.grade.cases import build_case
from trainer.grade.timed import doubt, time_request, timed_seeds
from trainer.grade.verdict import Verdict

SEED = 1
"""Times hardly depend on the data, and equal data makes two sessions comparable."""


@dataclass(frozen=True)
class Measured:
    """`own` is the time of the user's file; `verdict` says why there is none."""

    device: str
    rungs: Mapping[str, Timing] = field(default_factory=dict)
    own: Timing | None = None
    verdict: Verdict = Verdict.ACCEPTED
    message: str = ""


def measure(question: Question, rungs: Sequence[Rung], source: str | None, backend: Backend) -> Measured:
    """Time all rungs interleaved, with `source` among them or, without one, with the first rung leading."""
    if question.task is None or not rungs:
        raise ValueError(f"{question.id} has nothing to measure")
    device = backend.device
    leader = rungs[0].source.read_text(encoding="utf-8") if source is None else source
    others = rungs[1:] if source is None else rungs
    compiled = backend.compile(leader, question.task.signature)
    if not compiled.ok:
        verdict = compiled.verdict or Verdict.COMPILE_ERROR
        return Measured(device, verdict=verdict, message=compiled.message)
    cases = [build_case(question.task, question.task.timed, seed) for seed in timed_seeds(SEED)]
    timed = backend.time(time_request(question.task, [case.arguments for case in cases], others, record=True))
    doubtful = doubt(backend, question.task, cases, timed, SEED)
    if doubtful is not None:
        return Measured(device, timed.baselines, verdict=doubtful.verdict, message=doubtful.message)
    if source is not None:
        return Measured(device, timed.baselines, timed.timing)
    own = {rungs[0].id: timed.timing} if timed.timing else {}
    return Measured(device, {**own, **timed.baselines})
