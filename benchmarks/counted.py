"""The programs whose memory counters are compared between the simulator and a GPU.

Small kernels of every common form (tests/data/hardware/kernels), and every reference solution at two
modest sizes, one with edges and one without.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from trainer.bank.library import Library
from trainer.bank.model import Array, Role
from trainer.cuda.model import Parameter, Signature
from trainer.errors import WarpDojoError
from trainer.grade.backend import ArgumentValue, Backend, RunOutcome, RunRequest
from trainer.grade.cases import build_case
from trainer.sim.report import Access, Space

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data" / "hardware" / "kernels_h200.json"
KERNELS = ROOT / "tests" / "data" / "hardware" / "kernels"
ELEMENTS = 65536
SEED = 1
CASES = {
    "dot-product": ("N=4099", "N=8193, equal"),
    "gaussian-blur": (
        "input_rows=33, input_cols=65, kernel_rows=7, kernel_cols=7",
        "input_rows=64, input_cols=64, kernel_rows=5, kernel_cols=5",
    ),
    "histogramming": ("N=4099, num_bins=1000", "N=20000, num_bins=256, skewed"),
    "layer-normalization": ("N=33, C=129", "N=64, C=64"),
    "matrix-addition": ("N=127", "N=256"),
    "matrix-multiplication": ("M=129, N=65, K=257", "M=128, N=128, K=128"),
    "matrix-transpose": ("rows=127, cols=129", "rows=256, cols=256"),
    "prefix-sum": ("N=4099", "N=8193, equal"),
    "reduction": ("N=4099", "N=65536"),
    "relu": ("N=4099", "N=65536"),
    "softmax": ("N=4099", "N=16384"),
    "vector-addition": ("N=4099", "N=65536"),
}
_PARAMETERS = {"a": "const float*", "b": "const float*", "out": "float*", "n": "int"}
_SIGNATURE = Signature("solve", tuple(Parameter(name, ctype) for name, ctype in _PARAMETERS.items()))

Counters = dict[str, int]


@dataclass(frozen=True)
class CountedProgram:
    """A submission and the arguments of one call of it; `name` is its key in the data file."""

    name: str
    source: str
    signature: Signature
    arguments: tuple[ArgumentValue, ...]

    @property
    def digest(self) -> str:
        """Changes with the source: counters of another text tell nothing about this one."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:16]


def programs() -> Iterator[CountedProgram]:
    """All programs, always in the same order and with the same inputs."""
    for path in sorted(KERNELS.glob("*.cu")):
        yield CountedProgram(path.stem, path.read_text(encoding="utf-8"), _SIGNATURE, _arguments())
    library = Library.open(environ={})
    for question_id, names in CASES.items():
        question = library.question(question_id)
        task = question.task
        assert task is not None
        cases = [build_case(task, spec, SEED) for spec in task.cases if spec.name in names]
        for rung in library.rungs(question):
            source = rung.source.read_text(encoding="utf-8")
            for case in cases:
                name = f"{question_id}/{rung.id} {case.spec.name}"
                yield CountedProgram(name, source, task.signature, case.arguments)


def _arguments() -> tuple[ArgumentValue, ...]:
    rng = np.random.default_rng(SEED)
    given: list[Array] = [rng.random(ELEMENTS, dtype=np.float32) for _ in range(2)]
    return (
        ArgumentValue("a", "const float*", Role.INPUT, "float32", given[0], given[0].shape),
        ArgumentValue("b", "const float*", Role.INPUT, "float32", given[1], given[1].shape),
        ArgumentValue("out", "float*", Role.OUTPUT, "float32", None, (ELEMENTS,), True),
        ArgumentValue("n", "int", Role.SCALAR, "int32", 100),
    )


class Runner:
    """Runs programs on a backend; calls of one source after another compile it once."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._source = ""

    def run(self, program: CountedProgram, *, observe: bool) -> RunOutcome:
        """One call. Raises WarpDojoError where the program does not run to its end."""
        if program.source != self._source:
            compiled = self.backend.compile(program.source, program.signature)
            if not compiled.ok:
                raise WarpDojoError(f"{program.name}: {compiled.message}")
            self._source = program.source
        request = RunRequest(program.arguments, SEED, observe=observe, hazards=False)
        outcome = self.backend.run(request)
        if outcome.verdict is not None:
            raise WarpDojoError(f"{program.name}: {outcome.message}")
        return outcome

    def simulated(self, program: CountedProgram) -> dict[str, Counters]:
        """The eight counters of each kernel, summed over its launches, from a backend that observes."""
        report = self.run(program, observe=True).report
        assert report is not None
        names = {launch.kernel for launch in report.launches}
        return {name: counters_of(a for a in report.access if a.kernel == name) for name in sorted(names)}


def counters_of(access: Iterable[Access]) -> Counters:
    """What Nsight Compute would show for these accesses: it counts `cp.async` as a global load."""
    rows = list(access)
    counters = {}
    for op in ("load", "store"):
        ops = ("load", "async_copy") if op == "load" else ("store",)
        glob = [a for a in rows if a.space is Space.GLOBAL and a.op in ops]
        shared = [a for a in rows if a.space is Space.SHARED and a.op == op]
        counters[f"global_{op}_requests"] = sum(a.hardware_requests or 0 for a in glob)
        counters[f"global_{op}_sectors"] = sum(a.hardware_sectors or 0 for a in glob)
        counters[f"shared_{op}_requests"] = sum(a.hardware_requests or 0 for a in shared)
        counters[f"shared_{op}_wavefronts"] = sum(a.hardware_wavefronts or 0 for a in shared)
    return counters
