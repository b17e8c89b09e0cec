"""Wavefronts of `ldmatrix`: each 8x8 matrix is one phase of eight 16-byte rows.

Measured on an H200 (tests/data/hardware/special_access_patterns.json): phases add up, and `.trans`
changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trainer.sim.banks import BANKS, passes, words_of
from trainer.sim.lanes import Counts, as_rows, count_distinct

ROWS = 8
ROW_BYTES = 16


def wavefronts(addresses: Any, matrices: int) -> Counts:
    """`addresses` (n, 32): lane 8*m + r holds the address of row r of matrix m; `matrices` is 1, 2 or 4."""
    rows, _ = as_rows(addresses, 0)
    n = len(rows)
    phases = rows[:, : ROWS * matrices].reshape(n * matrices, ROWS)
    cost = passes(phases, np.ones_like(phases, dtype=np.bool_), ROW_BYTES)
    total: Counts = cost.reshape(n, matrices).sum(axis=1)
    return total


def ideal_wavefronts(addresses: Any, matrices: int) -> Counts:
    """The fewest wavefronts for the different words that all rows hold."""
    rows, _ = as_rows(addresses, 0)
    used = rows[:, : ROWS * matrices]
    words, live = words_of(used, np.ones_like(used, dtype=np.bool_), ROW_BYTES)
    fewest: Counts = -(-count_distinct(words, live) // BANKS)
    return fewest
