"""Run the kernel of a question, and find what its marked lines cost."""

from __future__ import annotations

from trainer.bank.model import Role
from trainer.bank.quiz import Analysis
from trainer.cuda.model import Parameter, Signature
from trainer.errors import ContentError
from trainer.grade.backend import ArgumentValue, Backend, RunRequest
from trainer.sim.report import Access, SimReport

SIGNATURE = Signature(
    "solve", (Parameter("x", "const float*"), Parameter("y", "float*"), Parameter("n", "int"))
)


def sample_arguments(floats: int, n: int) -> tuple[ArgumentValue, ...]:
    """Arguments of SIGNATURE: x[i] is i + 1, y is zero, each of `floats` elements."""
    import numpy as np  # drawing and judging need no arrays

    values = np.arange(1, floats + 1, dtype=np.float32)
    return (
        ArgumentValue("x", "const float*", Role.INPUT, "float32", values, values.shape),
        ArgumentValue("y", "float*", Role.OUTPUT, "float32", None, values.shape, zeroed=True),
        ArgumentValue("n", "int", Role.SCALAR, "int32", n),
    )


def run_sample(source: str, floats: int, n: int, backend: Backend) -> SimReport:
    """What a simulator observes. Raises ContentError where the kernel does not compile or fails."""
    compiled = backend.compile(source, SIGNATURE)
    if not compiled.ok:
        raise ContentError(f"its kernel does not compile: {compiled.message}")
    outcome = backend.run(RunRequest(sample_arguments(floats, n), seed=1, observe=True, hazards=True))
    if outcome.verdict is not None or outcome.report is None:
        raise ContentError(f"its kernel fails: {outcome.message}")
    return outcome.report


def accesses_at(source: str, mark: str, space: str, report: SimReport) -> list[Access]:
    """What the line that ends in "// MARK" does to the memory `space`."""
    line = 1 + next(i for i, text in enumerate(source.splitlines()) if text.endswith(f"// {mark}"))
    return [access for access in report.access if access.line == line and access.space == space]


def marked_accesses(analysis: Analysis, backend: Backend) -> dict[str, Access]:
    """The access of each marked line, by its mark, counted anew. Raises ContentError."""
    report = run_sample(analysis.source, analysis.floats, analysis.n, backend)
    found = {}
    for mark in map(str, range(1, len(analysis.costs) + 1)):
        for access in accesses_at(analysis.source, mark, analysis.space, report):
            found[mark] = access
    return found
