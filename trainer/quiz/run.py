"""Run the kernel of a question, and find what its marked lines cost."""

from __future__ import annotations

from dataclasses import dataclass

from trainer.bank.model import Role
from trainer.bank.quiz import Analysis, Measure
from trainer.cuda.model import Parameter, Signature
from trainer.errors import ContentError
from trainer.grade.backend import ArgumentValue, Backend, RunRequest
from trainer.sim.report import Access, Divergence, SimReport

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


def line_of(source: str, mark: str) -> int:
    """The number of the line that ends in "// MARK"."""
    return 1 + next(i for i, text in enumerate(source.splitlines()) if text.endswith(f"// {mark}"))


def accesses_at(source: str, mark: str, space: str, report: SimReport) -> list[Access]:
    """What the marked line does to the memory `space`."""
    line = line_of(source, mark)
    return [access for access in report.access if access.line == line and access.space == space]


@dataclass(frozen=True)
class Marked:
    """What was observed at a marked line: `access`, or where branches are measured `branch`."""

    mark: str
    code: str
    measure: Measure
    access: Access | None = None
    branch: Divergence | None = None

    @property
    def executions(self) -> int:
        """Requests, or how often warps executed the branch."""
        return self.access.requests if self.access else self.branch.executions if self.branch else 0

    @property
    def cost(self) -> float:
        """In units of the measure: of one request or execution, or divergent branches in all."""
        if self.branch is not None:
            per_warp = self.branch.active_lanes / max(self.executions, 1)
            return per_warp if self.measure is Measure.LANES else self.branch.divergent_branches
        if self.access is None:
            return 0
        paid = self.access.sectors if self.measure is Measure.SECTORS else self.access.wavefronts
        return (paid or 0) / max(self.executions, 1)

    @property
    def told(self) -> str:
        """The numbers in words."""
        if self.measure is Measure.LANES:
            return f"{self.cost:g} active lanes, executed {self.executions:,} times by warps"
        if self.measure is Measure.DIVERGENT:
            return f"{self.cost:g} divergent, executed {self.executions:,} times by warps"
        return f"{self.cost:g} {self.measure} each, {self.executions:,} requests"


def marked_lines(analysis: Analysis, backend: Backend) -> list[Marked]:
    """Each marked line of an analysis, counted anew. Raises ContentError where one has nothing to count."""
    report = run_sample(analysis.source, analysis.floats, analysis.n, backend)
    found = []
    for mark in map(str, range(1, len(analysis.costs) + 1)):
        line = line_of(analysis.source, mark)
        code = analysis.source.splitlines()[line - 1].removesuffix(f"// {mark}").strip()
        accesses = accesses_at(analysis.source, mark, analysis.measure.space, report)
        branches = [d for d in report.divergence if d.line == line and not analysis.measure.space]
        if len(accesses) + len(branches) != 1:
            what = f"{analysis.measure.space} requests" if analysis.measure.space else "branches"
            kinds = len(accesses) + len(branches)
            raise ContentError(f"its kernel makes {kinds} kinds of {what} in the line marked {mark}")
        found += [Marked(mark, code, analysis.measure, access=access) for access in accesses]
        found += [Marked(mark, code, analysis.measure, branch=branch) for branch in branches]
    return found
