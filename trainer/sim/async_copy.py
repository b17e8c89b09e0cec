"""`cp.async` from global to shared memory: sectors and shared wavefronts.

Rules found by fitting the 107 patterns measured on an H200
(tests/data/hardware/special_access_patterns.json); they reproduce every one.

* 4 and 8 bytes go through the L1 cache: sectors as for loads. Lanes (8 bytes: of each half-warp) wait
  in a queue per destination bank; in each wavefront the heads of the queues that also own their
  source bank (the lowest lane wins; nothing is broadcast) are written.
* 16 bytes bypass L1. Chunks of 16 bytes are placed by an exclusive-or within the 128-byte row, so one
  wavefront serves the lanes that share a destination row and the difference (xor) between source
  and destination chunk. Sectors are fetched once per such group. Where all lanes of a quarter-warp
  that write one row are rotated equally, as they are when rows are padded, they are one group: this
  is from the sectors of a whole kernel (gemm-cp-async-sixteen in kernels_h200.json); the wavefronts
  of that case were not measured and are taken to follow the groups, as they do elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trainer.sim.coalescing import SECTOR, sectors
from trainer.sim.lanes import WARP, Counts, as_rows

ROW = 128
CHUNK = 16
QUARTER = 8


def cost(sources: Any, destinations: Any, masks: Any, width: int) -> tuple[Counts, Counts]:
    """(sectors, shared wavefronts) per request; byte addresses (n, 32) on both sides."""
    source, mask = as_rows(sources, masks)
    destination, _ = as_rows(destinations, masks)
    if width == CHUNK:
        pairs = [
            _bypass(s.tolist(), d.tolist(), int(m))
            for s, d, m in zip(source, destination, mask, strict=True)
        ]
        table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1]
    waves = [
        _through_l1(s.tolist(), d.tolist(), int(m), width)
        for s, d, m in zip(source, destination, mask, strict=True)
    ]
    return sectors(source, mask, width), np.array(waves, dtype=np.int64)


def _through_l1(source: list[int], destination: list[int], mask: int, width: int) -> int:
    waves = 0
    part = WARP * 4 // width
    for start in range(0, WARP, part):
        waiting = [lane for lane in range(start, start + part) if mask >> lane & 1]
        while waiting:
            waves += 1
            heads: dict[int, int] = {}
            for lane in waiting:
                heads.setdefault(destination[lane] % ROW // width, lane)
            owners: dict[int, int] = {}
            for lane in sorted(heads.values()):
                owners.setdefault(source[lane] % ROW // width, lane)
            served = set(owners.values())
            waiting = [lane for lane in waiting if lane not in served]
    return waves


def _bypass(source: list[int], destination: list[int], mask: int) -> tuple[int, int]:
    rotations: dict[tuple[int, int], set[int]] = {}
    active = [lane for lane in range(WARP) if mask >> lane & 1]
    for lane in active:
        part = destination[lane] // ROW, lane // QUARTER
        rotations.setdefault(part, set()).add((destination[lane] - source[lane]) % ROW // CHUNK)
    groups: dict[tuple[int, int, int], list[int]] = {}
    for lane in active:
        row, quarter = destination[lane] // ROW, lane // QUARTER
        shift = (source[lane] % ROW // CHUNK) ^ (destination[lane] % ROW // CHUNK)
        rotated = len(rotations[row, quarter]) == 1
        groups.setdefault((row, quarter, -1 if rotated else shift), []).append(lane)
    fetched = sum(len({source[lane] // SECTOR for lane in lanes}) for lanes in groups.values())
    waves = sum(
        max(sum(destination[o] == destination[lane] for o in lanes) for lane in lanes)
        for lanes in groups.values()
    )
    return fetched, waves
