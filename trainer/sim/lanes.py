"""Small helpers for arrays of warps: one row per warp-level request, one column per lane."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Addresses = NDArray[np.int64]  # (n, lanes), bytes
Masks = NDArray[np.uint32]  # (n,), bit i = lane i is active
Counts = NDArray[np.int64]  # (n,)
Flags = NDArray[np.bool_]

WARP = 32
FULL = 0xFFFFFFFF
_SENTINEL = np.int64(np.iinfo(np.int64).max)


def as_rows(addresses: Any, masks: Any) -> tuple[Addresses, Masks]:
    """Accept one request or many; answer ((n, 32) int64, (n,) uint32)."""
    rows = np.atleast_2d(np.asarray(addresses, dtype=np.int64))
    if rows.shape[1] != WARP:
        raise ValueError(f"a request has {WARP} lanes, got an array of shape {rows.shape}")
    mask = np.atleast_1d(np.asarray(masks, dtype=np.uint32))
    return rows, np.broadcast_to(mask, (len(rows),))


def active_lanes(masks: Masks) -> Flags:
    """(n, 32) booleans from (n,) masks."""
    bits: Flags = ((masks[:, None] >> np.arange(WARP, dtype=np.uint32)) & 1).astype(np.bool_)
    return bits


def distinct(values: NDArray[np.int64], active: Flags) -> tuple[NDArray[np.int64], Flags]:
    """Sort each row with its inactive entries last; answer the rows and where a new value starts."""
    ordered = np.sort(np.where(active, values, _SENTINEL), axis=1)
    first = ordered != _SENTINEL
    first[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    return ordered, first


def count_distinct(values: NDArray[np.int64], active: Flags) -> Counts:
    """How many different values the active entries of each row hold."""
    counts: Counts = distinct(values, active)[1].sum(axis=1, dtype=np.int64)
    return counts


def largest_bin(bins: NDArray[np.int64], counted: Flags, size: int) -> Counts:
    """Per row, the largest number of counted entries that share one of `size` bins."""
    n = len(bins)
    keys = (np.arange(n, dtype=np.int64)[:, None] * size + bins)[counted]
    histogram = np.bincount(keys, minlength=n * size).reshape(n, size)
    largest: Counts = histogram.max(axis=1).astype(np.int64)
    return largest
