"""The rules that a right answer alone does not prove, each as a pure check.

What runs user code does the catching (guard zones, poison, compared inputs); this says what it means.
"""

from __future__ import annotations

from collections.abc import Sequence

from trainer.bank.model import CaseSpec
from trainer.grade.backend import Hazard, RunOutcome, Timing
from trainer.sim.report import HazardKind

FLOOR_MARGIN = 0.95
"""A time below this share of the physical floor did not do the work (DESIGN section 4)."""

SECOND_CALLS = 3
"""How often the last case is repeated on a module that has run before, each time on fresh data."""


def broken_guards(outcome: RunOutcome) -> tuple[Hazard, ...]:
    """A damaged guard zone is an out-of-bounds write, even where nobody saw the thread that did it."""
    return tuple(
        Hazard(
            kind=HazardKind.OUT_OF_BOUNDS,
            line=outcome.line,
            kernel=outcome.launches[-1].kernel if outcome.launches else "",
            block=(0, 0, 0),
            thread=(0, 0, 0),
            address=damage,
            message=f"out-of-bounds write: {damage}",
        )
        for damage in outcome.guards_broken
    )


def changed_inputs(outcome: RunOutcome) -> str:
    """What to say about inputs that the submission wrote to; "" if there are none."""
    if not outcome.changed_inputs:
        return ""
    names = " and ".join(f"`{name}`" for name in outcome.changed_inputs)
    return f"solve writes to its input {names}; inputs must be left as they were"


def too_fast(timing: Timing | None) -> str:
    """What to say about a time that the hardware does not allow; "" if it does."""
    if timing is None or timing.floor_us <= 0 or timing.median_us >= FLOOR_MARGIN * timing.floor_us:
        return ""
    return (
        f"{timing.median_us:.2f} us is less than the {timing.floor_us:.2f} us that this GPU needs "
        "to move the data: not all of the work is done in the timed runs"
    )


def order_cases(cases: Sequence[CaseSpec]) -> tuple[CaseSpec, ...]:
    """The cases with a random one of middling size last: that one is repeated for `SECOND_CALLS`."""
    chances = sorted((c for c in cases if c.values == "random"), key=_volume)
    if not chances:
        return tuple(cases)
    last = chances[len(chances) // 2]
    return (*(c for c in cases if c is not last), last)


def _volume(case: CaseSpec) -> int:
    volume = 1
    for extent in case.sizes.values():
        volume *= extent
    return volume
