"""Lint that runs code: the starter has to fail, every rung has to be accepted with room to spare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trainer.bank.finding import SPARE, Finding, Severity
from trainer.bank.model import KernelTask, Question, Rung
from trainer.bank.source import read_text
from trainer.errors import Location
from trainer.grade.backend import Backend
from trainer.grade.grader import Options, grade
from trainer.grade.result import Grade
from trainer.grade.verdict import Verdict


def lint_solutions(
    question: Question, task: KernelTask, rungs: Sequence[Rung], backend: Backend, seed: int = 1
) -> Iterator[Finding]:
    """What is wrong with a task's starter and rungs, by grading each on `backend`.

    Raises ContentError for a file that cannot be read, WorkerError if the backend breaks down.
    """
    options = Options(seed=seed, speed=False, explain=False)
    result = grade(question, read_text(task.starter), backend, options=options)
    if result.verdict is not Verdict.WRONG_ANSWER:
        message = f"a starter should compile and give a wrong answer; this one: {result.verdict.value}"
        yield Finding(Location(task.starter, _line(result)), Severity.ERROR, message, result.message)
    for rung in rungs:
        result = grade(question, read_text(rung.source), backend, options=options)
        if rung.needs and result.verdict is Verdict.UNSUPPORTED:
            continue
        if result.verdict is not Verdict.ACCEPTED:
            message = f"not accepted: {result.verdict.value}"
            where = Location(rung.source, _line(result))
            yield Finding(where, Severity.ERROR, message, result.message)
            continue
        case, used = _most_used(result)
        if used > SPARE:
            message = f"the rung uses {used:.2f} of the tolerance in case {case!r}; at most {SPARE} should do"
            yield Finding(Location(rung.source), Severity.ERROR, message)


def _line(result: Grade) -> int | None:
    """Where in the file it went wrong, if that is known."""
    messages = result.compiled.diagnostics if result.compiled else ()
    return result.line or next((message.line for message in messages if message.line), None)


def _most_used(result: Grade) -> tuple[str, float]:
    """The case that came nearest to its tolerance, and the share of it that was used."""
    shares = [
        (case.worst.error / case.worst.tolerance, case.name)
        for case in result.cases
        if case.worst is not None and case.worst.tolerance > 0
    ]
    used, name = max(shares, default=(0.0, ""))
    return name, used
