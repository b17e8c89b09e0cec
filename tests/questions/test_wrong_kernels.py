"""Every known wrong kernel, and every starter, is refused, and for the right reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trainer.bank.library import Library
from trainer.grade.grader import Options, grade
from trainer.grade.verdict import Verdict
from trainer.sim.backend import SimBackend

LIBRARY = Library.open(environ={})
WRONG = Path(__file__).parent.parent / "wrong"
KERNELS = sorted(WRONG.glob("*/*.cu"))
TASKS = [e.id for e in LIBRARY.index.entries if e.kind == "kernel"]
OPTIONS = Options(seed=1, speed=False, explain=False)


def verdict_of(question_id: str, source: Path) -> tuple[Verdict, str]:
    backend = SimBackend()
    try:
        result = grade(LIBRARY.question(question_id), source.read_text(), backend, options=OPTIONS)
        return result.verdict, result.message
    finally:
        backend.close()


def expected(source: Path) -> list[str]:
    """The verdicts that a kernel's first line allows."""
    first = source.read_text().splitlines()[0]
    match = re.fullmatch(r"// .+ -> ([a-z_, ]+)", first)
    assert match, f"{source.name} does not say what it expects"
    return match[1].split(", ")


@pytest.mark.parametrize("source", KERNELS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_wrong_kernel_is_refused(source: Path) -> None:
    verdict, message = verdict_of(source.parent.name, source)
    assert verdict.value in expected(source), message


@pytest.mark.parametrize("question_id", TASKS)
def test_a_starter_is_a_wrong_answer(question_id: str) -> None:
    task = LIBRARY.question(question_id).task
    assert task is not None
    verdict, message = verdict_of(question_id, task.starter)
    assert verdict is Verdict.WRONG_ANSWER, message
