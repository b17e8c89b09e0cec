"""How far a correct float32 result may be from the exact one: error models for oracles' `terms`.

All are in units of one tolerance `bound`, which tasks set to 1.2e-7, twice the unit roundoff of
float32 (2^-24, about 6e-8). So "terms" reads: the sizes of the numbers that get rounded, times how
often that happens.

A sum of n terms is off by at most n * 2^-24 * sum|terms| in any order (Higham, Accuracy and Stability of
Numerical Algorithms, 2nd ed., section 4.2), but rounding errors rarely conspire: about
sqrt(n) * 2^-24 * sum|terms| is what even one long chain of additions shows (Higham and Mary, A new
approach to probabilistic rounding error analysis, 2019). Shorter chains do better.

Sums of multiples of one power of two are exact in any order while they fit into 24 bits. Tasks draw
such values wherever they can: then nothing needs to be forgiven and one missing element shows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

BOUND = 1.2e-7
MANTISSA_BITS = 24
_GRID_BITS = 12  # the finest step looked for is 2^-12
SMALLEST = 2.0**-126  # the smallest normal float32; kernels flush what is smaller to zero
# With exact sums an error of an eighth of the smallest step is allowed, so none.
_EXACT_SHARE = 1 / 8


def quantum(values: Floats) -> float:
    """The largest power of two, from 2^-12 on, that divides all values; 0 if there is none."""
    scaled = np.asarray(values, dtype=np.float64) * (1 << _GRID_BITS)
    if scaled.size == 0 or not np.all(np.abs(scaled) < 2.0**52):
        return 0.0
    whole = scaled.astype(np.int64)
    if not np.array_equal(whole, scaled):
        return 0.0
    bits = int(np.bitwise_or.reduce(whole, axis=None))
    return (bits & -bits) / (1 << _GRID_BITS)


def exact_quantum(terms: Floats) -> float:
    """The step of `terms` if float32 adds them exactly in any order that a kernel would use, else 0.

    Sure if sum|terms| fits into 24 bits. Beyond that, terms of random sign in random order keep their
    partial sums within a few standard deviations of the line from 0 to the total.
    """
    step = quantum(terms)
    wide = np.asarray(terms, dtype=np.float64)
    room = step * 2.0**MANTISSA_BITS
    if float(np.abs(wide).sum()) <= room:
        return step
    drift = abs(float(wide.sum())) + 8 * math.sqrt(float(np.square(wide).sum()))
    return step if drift <= room else 0.0


def exact_allowance(step: float) -> float:
    """`terms` for a sum that is exact: an eighth of the step after multiplication by the bound."""
    return step * _EXACT_SHARE / BOUND


def flush_allowance() -> float:
    """`terms` to add where results may be so small that they, or numbers on the way, are flushed."""
    return 4 * SMALLEST / BOUND


def sum_allowance(terms: Floats) -> float:
    """`terms` for one sum of all elements of `terms` (products count as terms)."""
    step = exact_quantum(terms)
    if step:
        return exact_allowance(step)
    return float(roundings(terms.size)) * float(np.abs(terms).sum(dtype=np.float64))


def roundings(count: int | NDArray[np.integer[Any]]) -> Any:
    """What a sum of `count` terms is worth in bounds of sum|terms|: a multiple of sqrt(count), and a few.

    The factor leaves four times the room that the worst of ten thousand chains was seen to need.
    """
    return 2.5 * np.sqrt(count) + 4.0
