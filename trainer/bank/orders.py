"""Three ways to add up in float32, as kernels do it: a right answer may not depend on which.

An oracle's `in_float32(add, **inputs)` computes the task in single precision with one of these in the
place of every sum; the lint holds the results against the fp64 reference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Add = Callable[[Floats], Floats]
_LANES = 256


def one_by_one(values: Floats) -> Floats:
    """Sum over the last axis as a single thread does it: one running sum."""
    return np.add.accumulate(values, axis=-1, dtype=np.float32)[..., -1]


def by_halves(values: Floats) -> Floats:
    """Sum over the last axis as a tree: the upper half is added to the lower one, again and again."""
    values = _padded(values, 1 << max(0, values.shape[-1] - 1).bit_length())
    while values.shape[-1] > 1:
        half = values.shape[-1] // 2
        values = values[..., :half] + values[..., half:]
    return values[..., 0]


def by_stride(values: Floats) -> Floats:
    """Sum over the last axis as a block of 256 threads does it: strided running sums, then a tree."""
    if values.shape[-1] <= _LANES:  # one element a lane: the tree alone
        return by_halves(values)
    length = -(-values.shape[-1] // _LANES) * _LANES
    lanes = _padded(values, length).reshape(*values.shape[:-1], -1, _LANES)
    return by_halves(one_by_one(np.moveaxis(lanes, -1, -2)))


ORDERS: dict[str, Add] = {"one by one": one_by_one, "by halves": by_halves, "by stride": by_stride}


def _padded(values: Floats, length: int) -> Floats:
    """float32 values with zeros appended up to `length` along the last axis."""
    width = [(0, 0)] * (values.ndim - 1) + [(0, length - values.shape[-1])]
    return np.pad(values.astype(np.float32), width)
