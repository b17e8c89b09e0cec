"""Every rung of every ladder on the GPU: accepted, and the same numbers as the simulator's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from trainer.bank.ladder import load_rungs
from trainer.bank.library import Library
from trainer.bank.model import Question
from trainer.grade.backend import RunRequest
from trainer.grade.cases import build_case
from trainer.grade.compare import compare
from trainer.grade.grader import Options, grade
from trainer.grade.verdict import Verdict
from trainer.worker.client import RemoteBackend

pytestmark = pytest.mark.gpu

# Where every operation is exact or rounded as IEEE says, in an order that the file fixes, both must
# agree to the last bit. Elsewhere (ex2, rsqrt, float atomics, look-back) within the task's tolerance.
BIT_EQUAL = frozenset(
    {
        "vector-addition",
        "matrix-addition",
        "relu",
        "matrix-transpose",
        "matrix-multiplication",
        "gaussian-blur",
        "histogramming",
        "matrix-copy",
        "reverse-array",
        "color-inversion",
        "leaky-relu",
        "value-clipping",
        "interleave-arrays",
        "nchw-to-nhwc",
        "weight-dequantization",
        "int8-quantized-matmul",
    }
)


@cache
def questions() -> dict[str, Question]:
    library = Library.open(environ={})
    return {e.id: library.question(e.id) for e in library.index.entries if e.kind == "kernel"}


def rungs() -> list[tuple[str, str]]:
    return [
        (q.id, p.stem) for q in questions().values() if q.task for p in sorted(q.task.solutions.glob("*.cu"))
    ]


@pytest.fixture(scope="module")
def gpu() -> Iterator[RemoteBackend]:
    with RemoteBackend("gpu") as backend:
        yield backend


@pytest.fixture(scope="module")
def simulator() -> Iterator[RemoteBackend]:
    with RemoteBackend("sim") as backend:
        yield backend


@pytest.mark.parametrize(("task_id", "rung"), rungs())
def test_a_rung_is_accepted_and_agrees_with_the_simulator(
    gpu: RemoteBackend, simulator: RemoteBackend, task_id: str, rung: str
) -> None:
    question = questions()[task_id]
    task = question.task
    assert task is not None
    source = (task.solutions / f"{rung}.cu").read_text(encoding="utf-8")
    result = grade(question, source, gpu, options=Options(seed=3, speed=False, explain=False))
    assert result.verdict is Verdict.ACCEPTED, result.message
    if _needs(task.solutions, rung):
        return  # nothing of the simulator's to compare with
    assert simulator.compile(source, task.signature).ok
    for spec in (task.cases[0], task.cases[len(task.cases) // 2], task.cases[-1]):
        case = build_case(task, spec, seed=4)
        request = RunRequest(case.arguments, seed=4, hazards=False)
        ours, theirs = simulator.run(request), gpu.run(request)
        assert ours.verdict is None and theirs.verdict is None, (spec.name, ours.message, theirs.message)
        for name, value in theirs.outputs.items():
            same = np.array_equal(_bits(value), _bits(ours.outputs[name]))
            assert same or task_id not in BIT_EQUAL, (spec.name, name)
        assert compare(theirs.outputs, ours.outputs, task.tolerance, case.terms).ok, spec.name


def _needs(solutions: Path, rung: str) -> str:
    return next(r.needs for r in load_rungs(solutions) if r.id == rung)


def _bits(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
