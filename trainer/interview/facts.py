"""What an interview keeps of a grade: as much as the rubric needs, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from trainer.bank.model import KernelTask

if TYPE_CHECKING:
    from trainer.grade.backend import Compiled
    from trainer.grade.result import Grade

WARP = 32


@dataclass(frozen=True)
class Facts:
    """Cases are [right, all]: `regular` ones have only sizes that are multiples of 32, `edges` the others.
    `rungs` are the times of the ladder in microseconds, in its order. Counters are sums over all lines
    that the simulator counted; None where nothing was counted."""

    verdict: str
    message: str
    backend: str = ""
    regular: tuple[int, int] = (0, 0)
    edges: tuple[int, int] = (0, 0)
    hazards: int = 0
    median_us: float | None = None
    floor_us: float | None = None
    rungs: tuple[tuple[str, float], ...] = ()
    sectors: int | None = None
    ideal_sectors: int | None = None
    wavefronts: int | None = None
    ideal_wavefronts: int | None = None
    spill_bytes: int | None = None
    score: float = 0.0

    @property
    def accepted(self) -> bool:
        return self.verdict == "accepted"


def of_grade(task: KernelTask, grade: Grade) -> Facts:
    """Cases that were not run after one that failed for good count as not passed."""
    right = {case.name for case in grade.cases if case.verdict == "accepted"}
    specs = list(task.cases)
    regular = [s.name for s in specs if all(size % WARP == 0 for size in s.sizes.values())]
    edges = [s.name for s in specs if s.name not in regular]
    if task.large is not None and any(case.name == task.large.name for case in grade.cases):
        regular.append(task.large.name)
    kernels = grade.compiled.kernels if grade.compiled and grade.compiled.ok else ()
    rungs = grade.ladder.rungs if grade.ladder else ()
    return Facts(
        verdict=grade.verdict.value,
        message=grade.message,
        backend=grade.backend,
        regular=(sum(name in right for name in regular), len(regular)),
        edges=(sum(name in right for name in edges), len(edges)),
        hazards=len(grade.hazards),
        median_us=grade.timing.median_us if grade.timing else None,
        floor_us=grade.timing.floor_us if grade.timing else None,
        rungs=tuple((rung.title, rung.median_us) for rung in rungs if rung.median_us is not None),
        sectors=_total(a.sectors for a in grade.access),
        ideal_sectors=_total(a.ideal_sectors for a in grade.access),
        wavefronts=_total(a.wavefronts for a in grade.access),
        ideal_wavefronts=_total(a.ideal_wavefronts for a in grade.access),
        spill_bytes=_total(kernel.spill_bytes for kernel in kernels),
        score=grade.score.total,
    )


def of_compilation(compiled: Compiled) -> Facts:
    """Where a kernel may be compiled and not run."""
    spills = _total(kernel.spill_bytes for kernel in compiled.kernels) if compiled.ok else None
    verdict = "compiled" if compiled.ok else str(compiled.verdict)
    return Facts(verdict, compiled.message, spill_bytes=spills)


def _total(counts: Any) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def as_data(facts: Facts) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(facts)
    return data


def from_data(data: dict[str, Any]) -> Facts:
    return msgspec.convert(data, Facts)
