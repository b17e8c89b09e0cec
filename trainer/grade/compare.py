"""Is an output what the fp64 oracle says? Every element counts, and NaN never passes by accident.

Tolerances (DESIGN section 4): "exact" demands equality; "ulp" allows `bound` units in the last place
of the reference in the output's own type; "terms" allows `bound * terms`, where `terms` is the sum of
the absolute terms that were added up (the error model of a dot product, Higham, Accuracy and
Stability of Numerical Algorithms, section 3.1). Both float kinds also allow one smallest normal
number, because CuPy compiles with -ftz=true and a flushed result is that far away at most.
Outputs narrower than float32 (half, bfloat16) are rounded once more at the end; with "terms" that last
rounding, half a unit in the last place, is free, and `bound * terms` is about the sum before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.bank.dtypes import is_float, limits
from trainer.bank.model import Array, Tolerance
from trainer.grade.verdict import Mismatch

Mask = NDArray[np.bool_]

_FLOAT32_BYTES = 4

CHUNK = 1 << 16
"""Elements compared at a time."""

LARGE = 1 << 20
"""In outputs beyond this a chunk that equals the rounded reference counts as exact, unmeasured."""


@dataclass(frozen=True)
class OutputComparison:
    """One output, flattened. `wrong` marks the elements out of tolerance; `used` is the largest
    error as a fraction of its tolerance (inf when nothing was allowed and something differs)."""

    output: str
    wrong: Mask
    first: Mismatch | None
    worst: Mismatch | None
    used: float

    @property
    def elements(self) -> int:
        return int(self.wrong.size)

    @property
    def wrong_count(self) -> int:
        return int(np.count_nonzero(self.wrong))


@dataclass(frozen=True)
class Comparison:
    """All outputs of one run."""

    outputs: tuple[OutputComparison, ...]

    @property
    def ok(self) -> bool:
        return not any(o.wrong_count for o in self.outputs)

    @property
    def elements(self) -> int:
        return sum(o.elements for o in self.outputs)

    @property
    def used(self) -> float:
        """How much of the tolerance was needed: 0 is exact, above 1 is wrong."""
        return max((o.used for o in self.outputs), default=0.0)

    @property
    def worst(self) -> Mismatch | None:
        """The worst element of all outputs; of the wrong ones if there are any."""
        if not self.outputs:
            return None
        return max(self.outputs, key=lambda o: (o.wrong_count > 0, o.used)).worst


def compare(
    got: Mapping[str, Array],
    expected: Mapping[str, Array],
    tolerance: Tolerance,
    terms: Mapping[str, Array] | None = None,
) -> Comparison:
    """Compare every expected output; shapes may differ as long as the sizes agree.

    Raises ValueError for a missing output, another size, an unknown tolerance kind or, with kind
    "terms", missing terms: those are faults of the task or the backend, never of a submission.
    """
    results = []
    for name, reference in expected.items():
        if name not in got:
            raise ValueError(f"the run returned no output named {name!r}")
        actual, wanted = np.ravel(got[name]), np.ravel(reference)
        if actual.size != wanted.size:
            raise ValueError(f"output {name!r} has {actual.size} elements, expected {wanted.size}")
        weights = None if terms is None or name not in terms else np.ravel(terms[name])
        results.append(_compare_output(name, actual, wanted, tolerance, weights))
    return Comparison(tuple(results))


def _compare_output(
    name: str, got: Array, expected: Array, tolerance: Tolerance, terms: Array | None
) -> OutputComparison:
    """In chunks that stay in cache: outputs of timed runs have tens of millions of elements."""
    wrong = np.zeros(got.size, np.bool_)
    chunks = []
    with np.errstate(all="ignore"):
        for start in range(0, got.size, CHUNK):
            part = slice(start, start + CHUNK)
            if got.size > LARGE and np.array_equal(got[part], expected[part].astype(got.dtype)):
                continue
            weights = None if terms is None else terms[part]
            error, allowed = _errors(got[part], expected[part], tolerance, weights)
            # Written so that a NaN anywhere is wrong; equal infinities and expected NaNs have error 0.
            wrong[part] = np.logical_not(error <= allowed)
            chunks.append(_summary(start, error, allowed, wrong[part], tolerance))
    if not chunks:
        return OutputComparison(name, wrong, None, None, 0.0)
    count = int(np.count_nonzero(wrong))

    def mismatch(element: _Element) -> Mismatch:
        at = element.index
        unit = "ulp" if tolerance.kind == "ulp" else ""
        return Mismatch(
            name, at, _number(got[at]), _number(expected[at]), element.error, element.allowed, count, unit
        )

    first = next((mismatch(chunk.first) for chunk in chunks if chunk.first), None)
    worst = max(chunks, key=lambda chunk: chunk.rank).worst
    used = max(chunk.used for chunk in chunks)
    return OutputComparison(name, wrong, first, mismatch(worst), used)


@dataclass(frozen=True)
class _Element:
    index: int
    error: float
    allowed: float


@dataclass(frozen=True)
class _Summary:
    """Some elements of an output: the first wrong one, the worst one and how bad that is."""

    first: _Element | None
    worst: _Element
    rank: float
    used: float


def _summary(
    start: int,
    error: NDArray[np.float64],
    allowed: NDArray[np.float64],
    wrong: Mask,
    tolerance: Tolerance,
) -> _Summary:
    used = np.divide(error, allowed, out=np.full(error.shape, np.inf), where=allowed > 0)
    used[error == 0] = 0.0
    used[np.isnan(used)] = np.inf
    # Where nothing is allowed every ratio is infinite, so the largest error decides.
    rank = np.where(np.isnan(error), np.inf, error) if tolerance.kind == "exact" else used

    def element(at: int) -> _Element:
        return _Element(start + at, float(error[at]), float(allowed[at]))

    worst = int(np.argmax(rank))
    first = element(int(np.argmax(wrong))) if wrong.any() else None
    return _Summary(first, element(worst), float(rank[worst]), float(used.max()))


def _errors(
    got: Array, expected: Array, tolerance: Tolerance, terms: Array | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Error and allowance of every element, in ulps for kind "ulp", else absolute."""
    if tolerance.kind == "exact":
        return _exact_error(got, expected), np.zeros(got.shape)
    out, ref = got.astype(np.float64), expected.astype(np.float64)
    kind = got.dtype if is_float(got.dtype) else np.dtype(np.float32)
    smallest, largest = limits(kind)
    # A reference beyond the type's range is an infinity in that type.
    ref = np.where(np.abs(ref) > largest, ref.astype(kind).astype(np.float64), ref)
    error = np.abs(out - ref)
    error[(out == ref) | (np.isnan(out) & np.isnan(ref))] = 0.0
    if tolerance.kind == "ulp":
        unit = _unit_in_the_last_place(ref, kind)
        return error / unit, tolerance.bound + smallest / unit
    if tolerance.kind == "terms":
        if terms is None:
            raise ValueError('tolerance "terms" needs the terms of every output')
        allowed = tolerance.bound * np.abs(terms.astype(np.float64)) + smallest
        if kind.itemsize < _FLOAT32_BYTES:
            # np.maximum keeps a NaN, which no tolerance forgives.
            error -= _unit_in_the_last_place(np.abs(ref) + allowed, kind) / 2
            np.maximum(error, 0.0, out=error)
        return error, allowed
    raise ValueError(f"unknown tolerance kind {tolerance.kind!r}")


def _unit_in_the_last_place(values: NDArray[np.float64], kind: np.dtype[Any]) -> NDArray[np.float64]:
    """Of `values` in type `kind`; 1 where they are infinite."""
    unit: NDArray[np.float64] = np.spacing(np.abs(values).astype(kind)).astype(np.float64)
    unit[~np.isfinite(unit)] = 1.0
    return unit


def _exact_error(got: Array, expected: Array) -> NDArray[np.float64]:
    """|got - expected| as float64, yet exactly 0 only where the two are equal (int64 beyond 2^53)."""
    equal = got == expected
    if is_float(got.dtype) and is_float(expected.dtype):
        equal |= np.isnan(got) & np.isnan(expected)
    error = np.abs(got.astype(np.float64) - expected.astype(np.float64))
    error[np.logical_not(equal) & np.logical_not(error > 0)] = np.inf
    error[equal] = 0.0
    return error


def _number(value: np.generic) -> float:
    return int(value) if value.dtype.kind in "iub" else float(value)
