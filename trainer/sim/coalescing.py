"""32-byte sectors that a warp-level global access touches.

Measured on an H200 with Nsight Compute (tests/data/hardware/access_patterns.json): the number of
different 32-byte segments under the active lanes, whatever the width and order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trainer.sim.lanes import Counts, active_lanes, as_rows, count_distinct

SECTOR = 32


def sectors(addresses: Any, masks: Any, width: int) -> Counts:
    """Sectors per request for byte `addresses` (n, 32) or (32,), lane `masks`, `width` bytes a lane."""
    rows, mask = as_rows(addresses, masks)
    active = active_lanes(mask)
    first = rows // SECTOR
    last = (rows + width - 1) // SECTOR
    if np.array_equal(first[active], last[active]):
        return count_distinct(first, active)
    spans = first[:, :, None] + np.arange(1 + (width + SECTOR - 2) // SECTOR)
    covered = (spans <= last[:, :, None]) & active[:, :, None]
    n = len(rows)
    return count_distinct(spans.reshape(n, -1), covered.reshape(n, -1))


def ideal_sectors(addresses: Any, masks: Any, width: int) -> Counts:
    """The fewest sectors that could hold the different bytes each request uses."""
    rows, mask = as_rows(addresses, masks)
    used = count_distinct(rows, active_lanes(mask)) * width
    fewest: Counts = -(-used // SECTOR)
    return fewest
