"""Questions that ask which lines of a kernel are wasteful: the simulator runs it and must agree."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from trainer.bank.library import Library
from trainer.bank.model import Role
from trainer.grade.backend import ArgumentValue, RunRequest
from trainer.quiz.run import SIGNATURE
from trainer.sim.backend import SimBackend
from trainer.sim.report import Access

LIBRARY = Library.open(environ={})
LAUNCHES = {  # id: grid, block, elements of each array, n
    "lines-of-a-plain-transpose": ("dim3(2, 8)", "dim3(32, 8)", 4096, 64),
    "lines-of-a-tiled-transpose": ("1", "dim3(32, 32)", 1024, 32),
    "lines-of-a-plain-product": ("dim3(2, 8)", "dim3(32, 8)", 4096, 64),
    "lines-of-a-structure-sum": ("2", "256", 1536, 1536),
    "lines-of-an-interleaved-sum": ("1", "256", 256, 256),
    "lines-of-two-tiles": ("1", "dim3(32, 32)", 1024, 1024),
    "lines-of-mixed-loads": ("1", "256", 2304, 2304),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[SimBackend]:
    backend = SimBackend()
    yield backend
    backend.close()


def is_wasteful(access: Access) -> bool:
    if access.sectors is not None and access.ideal_sectors is not None and access.wavefronts is None:
        return access.sectors > access.ideal_sectors
    return (access.wavefronts or 0) > (access.ideal_wavefronts or 0)


def test_every_such_question_is_run_here() -> None:
    assert {e.id for e in LIBRARY.index.entries if re.match("lines-of-", e.id)} == set(LAUNCHES)


@pytest.mark.parametrize("question_id", LAUNCHES)
def test_the_simulator_finds_the_wasteful_lines(question_id: str, backend: SimBackend) -> None:
    question = LIBRARY.question(question_id)
    shown = [line[4:] for line in question.statement["en"].splitlines() if line.startswith("    ")]
    name = re.search(r"void (\w+)\(", shown[0])
    assert name is not None and question.quiz is not None and question.quiz.quiz is not None
    grid, block, elements, n = LAUNCHES[question_id]
    launch = f"{name[1]}<<<{grid}, {block}>>>(x, y, n);"
    host = f'extern "C" void solve(const float* x, float* y, int n) {{ {launch} }}'
    compiled = backend.compile("\n".join([*shown, "", host, ""]), SIGNATURE)
    assert compiled.ok, compiled.message
    values = np.arange(elements, dtype=np.float32)
    arguments = (
        ArgumentValue("x", "const float*", Role.INPUT, "float32", values, values.shape),
        ArgumentValue("y", "float*", Role.OUTPUT, "float32", None, values.shape, zeroed=True),
        ArgumentValue("n", "int", Role.SCALAR, "int32", n),
    )
    outcome = backend.run(RunRequest(arguments, seed=1, observe=True))
    assert outcome.verdict is None and outcome.report is not None, outcome.message

    space = "global" if "sectors" in question.statement["en"].splitlines()[-1] else "shared"
    marks = {number: m[1] for number, text in enumerate(shown, 1) if (m := re.search(r"// (\d)$", text))}
    seen = {a.line for a in outcome.report.access if a.space == space}
    assert seen >= set(marks), "every marked line makes a request"
    found = {
        marks[a.line]
        for a in outcome.report.access
        if a.space == space and a.line in marks and is_wasteful(a)
    }
    right = {option.text["en"].split()[-1] for option in question.quiz.quiz.options if option.correct}
    assert found == right
