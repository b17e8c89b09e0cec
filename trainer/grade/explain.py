"""What a submission does to memory and warps at the modelled size; right or wrong is not asked."""

from __future__ import annotations

import time

from trainer.bank.model import Question
from trainer.grade.backend import Backend, Compiled, RunOutcome, RunRequest
from trainer.grade.cases import Case, build_case
from trainer.grade.defences import broken_guards
from trainer.grade.grader import Options
from trainer.grade.judge import launches_of
from trainer.grade.result import Grade
from trainer.grade.score import Score
from trainer.grade.verdict import Verdict


def explain(question: Question, source: str, simulator: Backend, options: Options) -> Grade:
    """Run once with everything observed. The verdict is "accepted" where the run could be explained."""
    if question.task is None:
        raise ValueError(f"{question.id} is not a kernel task")
    started = time.monotonic()
    device = simulator.device
    compiled = simulator.compile(source, question.task.signature)
    outcome: RunOutcome | None = None
    if compiled.ok:
        case = build_case(question.task, question.task.modelled, options.seed)
        outcome = simulator.run(_request(case, options))
    return _record(question, compiled, outcome, options, device, time.monotonic() - started)


def _request(case: Case, options: Options) -> RunRequest:
    return RunRequest(
        arguments=case.arguments,
        seed=options.seed,
        observe=True,
        device_model=options.device_model,
        budget_s=options.run_budget_s,
    )


def _record(
    question: Question,
    compiled: Compiled,
    outcome: RunOutcome | None,
    options: Options,
    device: str,
    elapsed_s: float,
) -> Grade:
    report = outcome.report if outcome else None
    failed = outcome if outcome else compiled
    verdict = failed.verdict or (Verdict.ACCEPTED if compiled.ok else Verdict.COMPILE_ERROR)
    hazards = (report.hazards if report else ()) + (broken_guards(outcome) if outcome else ())
    return Grade(
        task=question.id,
        language="cuda",
        backend="sim",
        device=device,
        seed=options.seed,
        verdict=verdict,
        message=failed.message,
        hint=failed.hint,
        score=Score(0.0, {}),
        elapsed_s=elapsed_s,
        line=outcome.line if outcome else 0,
        compiled=compiled,
        launches=launches_of(outcome),
        hazards=hazards,
        access=report.access if report else (),
        divergence=report.divergence if report else (),
        model=report.model if report else None,
        printed=outcome.printed if outcome else "",
    )
