"""A number from 0 to 100. Correctness is most of it; the rest is speed where it was measured, else how
little of its memory traffic is waste, as the simulator counts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trainer.grade.backend import Access, Hazard, Timing
from trainer.grade.ladder import Ladder
from trainer.grade.verdict import CaseResult, Verdict

CORRECT, CLEAN, SPEED, MEMORY = 60.0, 10.0, 30.0, 30.0


@dataclass(frozen=True)
class Score:
    """`parts` are points; a part that could not be judged is None and `total` is scaled without it."""

    total: float
    parts: dict[str, float | None]


def score(
    verdict: Verdict,
    cases: Sequence[CaseResult],
    hazards: Sequence[Hazard],
    timing: Timing | None,
    ladder: Ladder | None,
    access: Sequence[Access] = (),
) -> Score:
    """Not accepted: half the points of correctness for the share of cases passed, and no more."""
    passed = sum(c.verdict is Verdict.ACCEPTED for c in cases) / len(cases) if cases else 0.0
    if verdict is not Verdict.ACCEPTED:
        half = 0.0 if verdict is Verdict.REJECTED else round(CORRECT / 2 * passed, 1)
        return Score(half, {"correct": half, "clean": None, "speed": None, "memory": None})
    clean = CLEAN if not hazards else CLEAN / 2
    speed = _speed(timing, ladder)
    memory = _memory(access) if speed is None else None
    reachable = CORRECT + CLEAN
    reachable += SPEED if speed is not None else MEMORY if memory is not None else 0.0
    total = (CORRECT + clean + (speed or 0.0) + (memory or 0.0)) / reachable * 100
    parts = {"correct": CORRECT, "clean": clean, "speed": speed, "memory": memory}
    return Score(round(total, 1), parts)


def _memory(access: Sequence[Access]) -> float | None:
    """All points where no sector and no shared-memory pass is wasted; else their useful share."""
    spent = sum((a.sectors or 0) + (a.wavefronts or 0) for a in access)
    ideal = sum((a.ideal_sectors or 0) + (a.ideal_wavefronts or 0) for a in access)
    return round(MEMORY * min(1.0, ideal / spent), 1) if spent else None


def _speed(timing: Timing | None, ladder: Ladder | None) -> float | None:
    """All points for the fastest rung or 90 % of the floor; else by the time of the fastest rung."""
    if timing is None:
        return None
    times = [r.median_us for r in ladder.rungs if r.median_us is not None] if ladder else []
    best = min(times, default=timing.floor_us / 0.9)
    goal = max(best, timing.floor_us / 0.9) if timing.floor_us > 0 else best
    return round(SPEED * min(1.0, goal / timing.median_us), 1)
