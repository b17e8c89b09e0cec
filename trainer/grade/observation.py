"""What a simulator sees beside a GPU: hazards in the small cases, and the explained run.

The GPU decides about right and wrong; what the simulator cannot do is a note, never a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trainer.bank.model import CaseSpec, KernelTask
from trainer.grade.backend import Backend, RunOutcome, RunRequest
from trainer.grade.cases import Case, build_case
from trainer.grade.judge import Judged, judge
from trainer.grade.verdict import Verdict

MakeRequest = Callable[[Case, bool], RunRequest]


@dataclass(frozen=True)
class Observed:
    """`judged` holds the cases with hazards; `explained` is the run at the modelled size."""

    judged: tuple[Judged, ...] = ()
    explained: RunOutcome | None = None
    note: str = ""


def observe(
    observer: Backend,
    task: KernelTask,
    source: str,
    specs: Sequence[CaseSpec],
    seed: int,
    request: MakeRequest,
    explain: bool,
) -> Observed:
    """Compile and run every case on `observer`, then the modelled one; stop at the first hazard."""
    compiled = observer.compile(source, task.signature)
    if not compiled.ok:
        return Observed(note=f"the simulator cannot look into this file: {compiled.message}")
    for spec in specs:
        case = build_case(task, spec, seed)
        judged = judge(case, observer.run(request(case, False)), task.tolerance)
        if judged.verdict is Verdict.HAZARD:
            return Observed((judged,))
        if judged.verdict not in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER):
            return Observed(note=f"the simulator cannot look into this file: {judged.result.message}")
    if not explain:
        return Observed()
    case = build_case(task, task.modelled, seed)
    outcome = observer.run(request(case, True))
    judged = judge(case, outcome, task.tolerance)
    found = (judged,) if judged.verdict is Verdict.HAZARD else ()
    return Observed(found, outcome, "" if outcome.verdict is None else outcome.message)
