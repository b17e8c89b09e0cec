"""Kernels of "find the bug" questions really have the bug, and its repair really helps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from trainer.bank.library import Library
from trainer.bank.model import Role
from trainer.cuda.model import Parameter, Signature
from trainer.grade.backend import ArgumentValue, RunOutcome, RunRequest
from trainer.sim.backend import SimBackend
from trainer.sim.report import HazardKind

LIBRARY = Library.open(environ={})


@dataclass(frozen=True)
class Bug:
    """`old` and `new` are the repair; `n` elements of `element` are given, on `grid` x `block` threads."""

    kernel: str
    hazard: HazardKind
    old: str
    new: str
    n: int = 256
    grid: int = 1
    block: int = 256
    element: str = "float"


BARRIER = "__syncthreads();"
BUGS = {
    "bug-missing-guard": Bug(
        "twice", HazardKind.OUT_OF_BOUNDS, "    y[i] =", "    if (i < n) y[i] =", n=1000, grid=4
    ),
    "bug-missing-barrier": Bug(
        "reverse", HazardKind.SHARED_RACE, "    y[i] =", f"    {BARRIER} y[i] =", n=512, grid=2
    ),
    "bug-tile-overwritten": Bug(
        "neighbours", HazardKind.SHARED_RACE, "256];\n    }", f"256];\n        {BARRIER}\n    }}", n=1024
    ),
    "bug-barrier-in-branch": Bug(
        "halves",
        HazardKind.BARRIER_DIVERGENCE,
        f"    if (t < 128) {{\n        {BARRIER}",
        f"    {BARRIER}\n    if (t < 128) {{",
    ),
    "bug-shuffle-in-branch": Bug(
        "lower",
        HazardKind.ABSENT_LANE,
        "    if (threadIdx.x < 16)\n        v += __shfl_down_sync(0xffffffff, v, 16);",
        "    float other = __shfl_down_sync(0xffffffff, v, 16);\n    if (threadIdx.x < 16) v += other;",
        n=32,
        block=32,
    ),
    "bug-histogram-not-cleared": Bug(
        "count",
        HazardKind.UNINITIALISED_READ,
        "    for (int i",
        f"    if (t < 32) h[t] = 0;\n    {BARRIER}\n    for (int i",
        n=1000,
        element="int",
    ),
    "bug-sum-without-atomic": Bug(
        "sum", HazardKind.GLOBAL_RACE, "y[0] += x[i]", "atomicAdd(&y[0], x[i])", n=1000, grid=4
    ),
    "bug-vector-tail": Bug(
        "copy",
        HazardKind.OUT_OF_BOUNDS,
        "    if (i < (n + 3) / 4)",
        "    if (i < n % 4) y[n / 4 * 4 + i] = x[n / 4 * 4 + i];\n    if (i < n / 4)",
        n=1003,
    ),
    "bug-misaligned-vector": Bug(
        "body",
        HazardKind.MISALIGNED,
        "        ((float4*)y)[i] = ((const float4*)(x + 1))[i];",
        "        for (int k = 4 * i; k < 4 * i + 4; ++k) y[k] = x[k + 1];",
        n=1001,
    ),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[SimBackend]:
    backend = SimBackend()
    yield backend
    backend.close()


def shown_kernel(question_id: str) -> str:
    statement = LIBRARY.question(question_id).statement["en"]
    return "\n".join(line[4:] for line in statement.splitlines() if line.startswith("    "))


def run(backend: SimBackend, bug: Bug, kernel: str) -> RunOutcome:
    pointer = f"{bug.element}*"
    parameters = (Parameter("x", f"const {pointer}"), Parameter("y", pointer), Parameter("n", "int"))
    host = (
        f'extern "C" void solve(const {pointer} x, {pointer} y, int n) {{\n'
        f"    {bug.kernel}<<<{bug.grid}, {bug.block}>>>(x, y, n);\n}}\n"
    )
    compiled = backend.compile(f"{kernel}\n\n{host}", Signature("solve", parameters))
    assert compiled.ok, compiled.message
    dtype = "float32" if bug.element == "float" else "int32"
    values = (np.arange(bug.n) % 32).astype(dtype)
    arguments = (
        ArgumentValue("x", f"const {pointer}", Role.INPUT, dtype, values, values.shape),
        ArgumentValue("y", pointer, Role.OUTPUT, dtype, None, values.shape, zeroed=True),
        ArgumentValue("n", "int", Role.SCALAR, "int32", bug.n),
    )
    return backend.run(RunRequest(arguments, seed=1))


def test_every_bug_of_the_bank_is_tried_here() -> None:
    assert {e.id for e in LIBRARY.index.entries if e.id.startswith("bug-")} == set(BUGS)


@pytest.mark.parametrize("question_id", BUGS)
def test_the_simulator_finds_the_bug(question_id: str, backend: SimBackend) -> None:
    bug = BUGS[question_id]
    outcome = run(backend, bug, shown_kernel(question_id))
    assert outcome.report is not None
    assert bug.hazard in {h.kind for h in outcome.report.hazards}


@pytest.mark.parametrize("question_id", BUGS)
def test_the_repair_is_clean(question_id: str, backend: SimBackend) -> None:
    bug, kernel = BUGS[question_id], shown_kernel(question_id)
    assert bug.old in kernel
    outcome = run(backend, bug, kernel.replace(bug.old, bug.new))
    assert outcome.verdict is None, outcome.message
    assert outcome.report is not None and outcome.report.hazards == ()
