"""Guess why an answer is wrong: from where the wrong elements are, and from which sizes fail.

Pure functions of what was seen. A guess is worded as one; no guess is better than a wild one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from trainer.bank.model import Array
from trainer.grade.compare import Comparison, Mask, OutputComparison
from trainer.sim.report import HazardKind

HAZARD_HINTS = {
    HazardKind.OUT_OF_BOUNDS: "Does every thread check its index? The last block rarely fits exactly.",
    HazardKind.MISALIGNED: "A 16-byte access needs an address divisible by 16; treat tails apart.",
    HazardKind.NULL_POINTER: "Was an allocation checked, and is every pointer passed on to the kernel?",
    HazardKind.FREED_POINTER: "Free memory after the last kernel that uses it.",
    HazardKind.UNINITIALISED_READ: "Write before reading: memory starts with arbitrary contents.",
    HazardKind.UNFINISHED_COPY: "Wait for the copy, then __syncthreads() where other threads made it.",
    HazardKind.SHARED_RACE: "A __syncthreads() is missing between the two accesses.",
    HazardKind.GLOBAL_RACE: "Use an atomic, give each element one owner, or split the kernel in two.",
    HazardKind.BARRIER_DIVERGENCE: "All threads of the block have to reach the same __syncthreads().",
    HazardKind.ABSENT_LANE: "Name just the lanes that get there in the mask, or let the whole warp come.",
}
"""What usually helps."""


@dataclass(frozen=True)
class Evidence:
    """One checked case. `unwritten` marks elements that still hold what memory held before the run;
    `block_threads` and `grid_threads` describe the last launch (0: nothing was launched)."""

    name: str
    sizes: Mapping[str, int]
    values: str
    comparison: Comparison
    got: Mapping[str, Array]
    expected: Mapping[str, Array]
    block_threads: int = 0
    grid_threads: int = 0
    unwritten: Mapping[str, Mask] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.comparison.ok


def diagnose(cases: Sequence[Evidence]) -> str:
    """A sentence or two about the first wrong case and the pattern over all cases, or ""."""
    failing = [c for c in cases if not c.ok]
    if not failing:
        return ""
    with np.errstate(all="ignore"):
        guesses = (_within_the_first(failing), _over_cases(cases))
    return " ".join(g for g in guesses if g)


def _within_the_first(failing: Sequence[Evidence]) -> str:
    """A single element tells a missing tail from no output at all only in the next larger case."""
    guess = _within_a_case(failing[0])
    larger = next((c for c in failing if _first_wrong(c).wrong.size > 1), None)
    if larger is None or larger is failing[0]:
        return guess
    better = _within_a_case(larger)
    return f"In case {larger.name}: {better}" if better and better != guess else guess


def _first_wrong(case: Evidence) -> OutputComparison:
    return next(o for o in case.comparison.outputs if o.wrong_count)


def _within_a_case(case: Evidence) -> str:
    output = _first_wrong(case)
    name, wrong = output.output, output.wrong
    got, expected = np.ravel(case.got[name]), np.ravel(case.expected[name])
    unwritten = case.unwritten.get(name)
    if unwritten is not None and unwritten.any():
        return _never_written(name, np.ravel(unwritten), case)
    return _about_values(name, got, expected, wrong) or _about_places(name, wrong, case)


def _never_written(name: str, unwritten: Mask, case: Evidence) -> str:
    if unwritten.all():
        if not case.block_threads:
            return f"{name} is never written: solve launches no kernel."
        return f"{name} is never written."
    first, count = int(np.argmax(unwritten)), int(np.count_nonzero(unwritten))
    some = f"{count} of {unwritten.size} elements of {name} are never written, from index {first} on"
    if unwritten[first:].all():
        if 0 < case.grid_threads < unwritten.size:
            threads = f"{case.grid_threads} threads for {unwritten.size} elements"
            return f"{some}: the launch has {threads}; does the grid round up?"
        return f"{some}: is the tail left out?"
    return f"{some}."


def _about_values(name: str, got: Array, expected: Array, wrong: Mask) -> str:
    bad, good = got[wrong].astype(np.float64), expected[wrong].astype(np.float64)
    if np.isnan(bad).all():
        return f"Every wrong element of {name} is NaN."
    if not bad.any() and good.any():
        return f"Every wrong element of {name} is 0."
    if bad.size > 2 and np.unique(bad).size == 1 and np.unique(good).size > 1:
        return f"Every wrong element of {name} is {bad[0]:g}."
    return _constant_factor(name, bad, good) or _nearly_right(name, bad, good)


def _constant_factor(name: str, bad: Array, good: Array) -> str:
    usable = np.isfinite(bad) & np.isfinite(good) & (good != 0)
    if np.count_nonzero(usable) < 3 or not usable.all():
        return ""
    ratio = bad / good
    typical = float(np.median(ratio))
    if typical and np.allclose(ratio, typical, rtol=1e-4) and not np.isclose(typical, 1, rtol=1e-2):
        return f"{name} is {typical:.6g} times what is expected: is a scale missing?"
    return ""


def _nearly_right(name: str, bad: Array, good: Array) -> str:
    usable = np.isfinite(bad) & np.isfinite(good)
    if not usable.all() or np.array_equal(bad, np.round(bad)):
        return ""
    # Results near zero are differences of large terms: the typical size is what to compare with.
    scale = np.maximum(np.abs(good), float(np.sqrt(np.mean(good * good))))
    if (np.abs(bad - good) / scale < 2e-2).all():
        return f"{name} is nearly right: lower precision than asked for, or an unstable order of operations?"
    return ""


def _about_places(name: str, wrong: Mask, case: Evidence) -> str:
    size, first = wrong.size, int(np.argmax(wrong))
    count = int(np.count_nonzero(wrong))
    if size == 1:
        return ""
    if count == size:
        return ""
    if first == 0 and count == 1:
        return f"Only the first element of {name} differs."
    if wrong[first:].all():
        if count == 1:
            return f"Only the last element of {name} differs: is the tail left out?"
        if case.block_threads and first == case.block_threads:
            return f"Only the first block's {first} elements of {name} are right."
        if case.block_threads and first % case.block_threads == 0:
            return f"{name} is wrong from index {first} on, a whole number of blocks of {case.block_threads}."
        return f"Only the last {count} elements of {name} differ: is the tail left out?"
    return _stride(name, wrong)


def _stride(name: str, wrong: Mask) -> str:
    places = np.flatnonzero(wrong)
    if places.size < 3:
        return ""
    steps = np.diff(places)
    if steps[0] > 1 and (steps == steps[0]).all():
        return f"Every {int(steps[0])}th element of {name} is wrong, from index {int(places[0])} on."
    return ""


def _over_cases(cases: Sequence[Evidence]) -> str:
    passed, failed = [c for c in cases if c.ok], [c for c in cases if not c.ok]
    if not passed:
        return ""
    return _special_values(passed, failed) or _square_only(passed, failed) or _sizes(passed, failed)


def _special_values(passed: Sequence[Evidence], failed: Sequence[Evidence]) -> str:
    families = {c.values for c in failed}
    if "random" in families or not any(c.values == "random" for c in passed):
        return ""
    return f"Right on random values; wrong on {', '.join(sorted(families)).replace('_', ' ')}."


def _square_only(passed: Sequence[Evidence], failed: Sequence[Evidence]) -> str:
    if len(failed[0].sizes) < 2:
        return ""

    def square(case: Evidence) -> bool:
        return len(set(case.sizes.values())) == 1

    if len(passed) >= 2 and all(map(square, passed)) and not any(map(square, failed)):
        return "Right for square sizes only: are two extents swapped?"
    return ""


def _sizes(passed: Sequence[Evidence], failed: Sequence[Evidence]) -> str:
    """Single sizes that explain which cases pass: a multiple, or a limit."""
    passed = [c for c in passed if c.values == "random"]
    failed = [c for c in failed if c.values == "random"]
    if len(passed) < 2 or len(failed) < 2:
        return ""
    for name in failed[0].sizes:
        good, bad = [c.sizes[name] for c in passed], [c.sizes[name] for c in failed]
        for factor in (1024, 512, 256, 128, 64, 32, 16, 8, 4, 2):
            if all(n % factor == 0 for n in good) and all(n % factor for n in bad):
                return f"Right only where {name} is a multiple of {factor}."
        if max(good) < min(bad):
            return f"Right up to {name} = {max(good)}, wrong from {name} = {min(bad)} on."
        if max(bad) < min(good):
            return f"Wrong up to {name} = {max(bad)}, right from {name} = {min(good)} on."
    return ""
