"""Shared-memory wavefronts: how many passes over the 32 four-byte banks a request takes.

Measured on an H200 (tests/data/hardware/access_patterns.json):

* up to 4 bytes a lane: one part, the warp; 8 bytes: two half-warps; 16 bytes: four quarter-warps;
* a part costs as many wavefronts as the busiest bank has different words (equal words broadcast);
* loads merge neighbouring parts - the halves of the warp for 8 bytes, the quarters of each half for
  16 bytes - when every active lane i of the merging group reads the same address as lane i^1, or
  every one the same as lane i^2; an inactive partner counts as equal. Stores never merge.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trainer.sim.lanes import (
    WARP,
    Addresses,
    Counts,
    Flags,
    active_lanes,
    as_rows,
    count_distinct,
    distinct,
    largest_bin,
)

BANKS = 32
WORD = 4


def words_of(rows: Addresses, active: Flags, width: int) -> tuple[Addresses, Flags]:
    """The four-byte words under each lane: (n, lanes * words a lane), with their activity."""
    per_lane = max(1, width // WORD)
    words = (rows // WORD)[:, :, None] + np.arange(per_lane)
    n = len(rows)
    return words.reshape(n, -1), np.repeat(active, per_lane, axis=1)


def passes(rows: Addresses, active: Flags, width: int) -> Counts:
    """Wavefronts of lanes that are served together: (n, lanes) -> (n,); 0 where none is active."""
    words, live = words_of(rows, active, width)
    ordered, first = distinct(words, live)
    return largest_bin(np.where(first, ordered, 0) % BANKS, first, BANKS)


def _neighbours_agree(rows: Addresses, active: Flags, step: int) -> Flags:
    """Per row: every active lane's partner `i ^ step` is inactive or has the same address."""
    partner = np.arange(rows.shape[1]) ^ step
    agree: Flags = ((rows == rows[:, partner]) | ~active | ~active[:, partner]).all(axis=1)
    return agree


def _split_cost(rows: Addresses, active: Flags, width: int, merge: bool) -> Counts:
    """Cost of a merging group of two parts, served one after the other or, if merged, together."""
    n, lanes = rows.shape
    half = lanes // 2
    halves = passes(rows.reshape(2 * n, half), active.reshape(2 * n, half), width)
    apart: Counts = halves.reshape(n, 2).sum(axis=1)
    if not merge:
        return apart
    merged = _neighbours_agree(rows, active, 1) | _neighbours_agree(rows, active, 2)
    return np.where(merged, passes(rows, active, width), apart)


def wavefronts(addresses: Any, masks: Any, width: int, *, store: bool) -> Counts:
    """Wavefronts per request for shared byte `addresses` (n, 32), `width` in 1, 2, 4, 8, 16 bytes."""
    rows, mask = as_rows(addresses, masks)
    active = active_lanes(mask)
    if width <= WORD:
        return passes(rows, active, width)
    if width == 8:
        return _split_cost(rows, active, width, merge=not store)
    n, half = len(rows), WARP // 2
    cost = _split_cost(rows.reshape(2 * n, half), active.reshape(2 * n, half), width, merge=not store)
    total: Counts = cost.reshape(n, 2).sum(axis=1)
    return total


def ideal_wavefronts(addresses: Any, masks: Any, width: int) -> Counts:
    """The fewest wavefronts that could move the different words each request uses."""
    rows, mask = as_rows(addresses, masks)
    words, live = words_of(rows, active_lanes(mask), width)
    fewest: Counts = -(-count_distinct(words, live) // BANKS)
    return fewest
