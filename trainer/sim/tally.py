"""From recorded request patterns to counts per memory instruction.

Native code remembers which patterns (lanes, place in 128 bytes, distances) an instruction met and how
often; here each different pattern is costed once, by the pure rules, and multiplied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.cuda.device import Dim3
from trainer.sim import async_copy, atomics, banks, coalescing, matrix_loads
from trainer.sim.lanes import Addresses, Counts, Masks
from trainer.sim.report import Access, Space, WorstRequest
from trainer.sim.sites import Site

Records = NDArray[Any]
RECORD = np.dtype(
    [
        ("site", "<i4"), ("mask", "<u4"), ("phase", "<i4"), ("warp", "<i4"),
        ("hits", "<i8"), ("block", "<i8"), ("distance", "<i4", (32,)),
    ]
)  # fmt: skip
LINE = 128


@dataclass
class Totals:
    """Running sums of one site in one space."""

    requests: int = 0
    cost: int = 0  # sectors or wavefronts
    ideal: int = 0
    hardware_requests: int = 0
    hardware_cost: int = 0
    loop_requests: int = 0  # loads that an emulated shared atomic does
    loop_cost: int = 0
    worst: WorstRequest | None = None

    def add(self, other: Totals) -> None:
        """Merge the sums of another launch or line."""
        for name in ("requests", "cost", "ideal", "hardware_requests", "hardware_cost"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.loop_requests += other.loop_requests
        self.loop_cost += other.loop_cost
        if self.worst is None or (other.worst is not None and other.worst.cost > self.worst.cost):
            self.worst = other.worst


class Tally:
    """Counts of one kernel over its launches."""

    def __init__(self, sites: Mapping[int, Site], site_count: int) -> None:
        self.sites = sites
        self.site_count = site_count
        self.totals: dict[tuple[int, Space], Totals] = {}

    def take(self, records: Records, grid: Dim3) -> None:
        """Cost drained records (dtype RECORD) of a launch with this grid."""
        live = records[records["hits"] > 0]
        if not len(live):
            return
        order = np.argsort(live["site"], kind="stable")
        ordered = live[order]
        starts = np.flatnonzero(np.r_[True, np.diff(ordered["site"]) != 0])
        for group in np.split(ordered, starts[1:]):
            part, number = divmod(int(group["site"][0]), self.site_count)
            site = self.sites.get(number)
            if site is None or (site.op == "async_copy") != (part == 2):
                continue
            if part == 2:
                self._take_copies(site, group, grid)
            else:
                space = Space.SHARED if part else Space.GLOBAL
                _count(self._totals(site, space), site, space, group, grid)

    def _totals(self, site: Site, space: Space) -> Totals:
        return self.totals.setdefault((site.number, space), Totals())

    def _take_copies(self, site: Site, records: Records, grid: Dim3) -> None:
        """Asynchronous copies: records in pairs, source then destination."""
        source, target = records[0::2], records[1::2]
        rows = [r["phase"][:, None].astype(np.int64) + r["distance"] for r in (source, target)]
        shape = np.concatenate([*rows, source["mask"][:, None].astype(np.int64)], axis=1)
        _, first, hits = np.unique(shape, axis=0, return_index=True, return_counts=True)
        there, here, masks = rows[0][first], rows[1][first], source["mask"][first]
        sectors, waves = async_copy.cost(there, here, masks, site.width)
        sides = (
            (Space.GLOBAL, source, there, sectors, coalescing.ideal_sectors(there, masks, site.width)),
            (Space.SHARED, target, here, waves, banks.ideal_wavefronts(here, masks, site.width)),
        )
        for space, side, addresses, cost, ideal in sides:
            totals = self._totals(site, space)
            totals.requests += int(hits.sum())
            totals.cost += int((cost * hits).sum())
            totals.ideal += int((ideal * hits).sum())
            totals.hardware_requests += int(hits.sum())
            totals.hardware_cost += int((cost * hits).sum())
            _keep_worst(totals, side[first], addresses, cost, grid)


def _count(totals: Totals, site: Site, space: Space, records: Records, grid: Dim3) -> None:
    hits = records["hits"]
    masks = records["mask"]
    rows = records["phase"][:, None].astype(np.int64) + records["distance"]
    cost, ideal = _costs(site, space, rows, masks)
    requests = int(hits.sum())
    totals.requests += requests
    totals.cost += int((cost * hits).sum())
    totals.ideal += int((ideal * hits).sum())
    _count_as_hardware(totals, site, space, rows, masks, hits, cost)
    _keep_worst(totals, records, rows, cost, grid)


def _costs(site: Site, space: Space, rows: Addresses, masks: Masks) -> tuple[Counts, Counts]:
    """Cost and ideal cost of each pattern, as the PTX is written."""
    if site.op == "ldmatrix":
        return (
            matrix_loads.wavefronts(rows, site.matrices),
            matrix_loads.ideal_wavefronts(rows, site.matrices),
        )
    if space is Space.SHARED:
        ideal = banks.ideal_wavefronts(rows, masks, site.width)
        if site.op == "atomic":
            return _shared_atomic(site, rows, masks).wavefronts, ideal
        return banks.wavefronts(rows, masks, site.width, store=site.op != "load"), ideal
    ideal = coalescing.ideal_sectors(rows, masks, site.width)
    if site.op == "atomic":
        sectors = atomics.global_sectors(
            rows, masks, site.atomic_op, site.atomic_type, uniform=site.uniform, result_used=site.result_used
        )
        return sectors, ideal
    return coalescing.sectors(rows, masks, site.width), ideal


def _shared_atomic(site: Site, rows: Addresses, masks: Masks) -> atomics.SharedCost:
    return atomics.shared_cost(
        rows, masks, site.atomic_op, site.atomic_type, uniform=site.uniform, result_used=site.result_used,
        value=site.atomic_value,
    )  # fmt: skip


def _count_as_hardware(
    totals: Totals, site: Site, space: Space, rows: Addresses, masks: Masks, hits: Counts, cost: Counts
) -> None:
    if site.fused is not None and space is site.space:
        if site.is_leader:
            start, width = rows + site.fused.offset, site.fused.width
            wide = (
                banks.wavefronts(start, masks, width, store=site.op == "store")
                if space is Space.SHARED
                else coalescing.sectors(start, masks, width)
            )
            totals.hardware_requests += int(hits.sum())
            totals.hardware_cost += int((wide * hits).sum())
        return
    if space is Space.SHARED and site.op == "atomic":
        issued = _shared_atomic(site, rows, masks).instructions
        totals.hardware_requests += int((issued * hits).sum())
        totals.hardware_cost += int((cost * hits).sum())
        if atomics.is_loop(site.atomic_op, site.atomic_type):
            _count_loop_loads(totals, site, rows, masks, hits)
        return
    totals.hardware_requests += int(hits.sum())
    totals.hardware_cost += int((cost * hits).sum())


def _count_loop_loads(totals: Totals, site: Site, rows: Addresses, masks: Masks, hits: Counts) -> None:
    """Each round of an emulated atomic loads the word afresh, for the lanes that are still in it."""
    width = max(site.width, banks.WORD)
    for row, mask, times in zip(rows // width * width, masks, hits, strict=True):
        rounds = [left for left, _ in atomics.spin_rounds(row, int(mask), width)]
        repeated = np.broadcast_to(row, (len(rounds), len(row)))
        cost = banks.wavefronts(repeated, np.array(rounds, dtype=np.uint32), width, store=False)
        totals.loop_requests += len(rounds) * int(times)
        totals.loop_cost += int(cost.sum()) * int(times)


def _keep_worst(totals: Totals, records: Records, rows: Addresses, cost: Counts, grid: Dim3) -> None:
    at = int(cost.argmax())
    if totals.worst is not None and totals.worst.cost >= int(cost[at]):
        return
    mask = int(records["mask"][at])
    active = [k for k in range(32) if mask >> k & 1]
    start = int(rows[at][active].min()) // LINE * LINE
    block = int(records["block"][at])
    totals.worst = WorstRequest(
        block=(block % grid[0], block // grid[0] % grid[1], block // (grid[0] * grid[1])),
        warp=int(records["warp"][at]),
        active=mask,
        addresses=tuple(int(a) - start if k in active else 0 for k, a in enumerate(rows[at])),
        cost=int(cost[at]),
    )


def accesses(tally: Tally, kernel: str, source_of: Callable[[int], str]) -> tuple[Access, ...]:
    """One `Access` per source line, space, operation and width."""
    merged: dict[tuple[int, Space, str, int], Totals] = {}
    for (number, space), totals in tally.totals.items():
        site = tally.sites[number]
        merged.setdefault((site.line, space, site.op, site.width), Totals()).add(totals)
        if totals.loop_requests:
            loads = Totals(hardware_requests=totals.loop_requests, hardware_cost=totals.loop_cost)
            merged.setdefault((site.line, space, "load", site.width), Totals()).add(loads)
    rows = sorted(merged.items(), key=lambda item: (item[0][0], item[0][1], item[0][2], item[0][3]))
    return tuple(_access(kernel, key, totals, source_of) for key, totals in rows)


def _access(
    kernel: str, key: tuple[int, Space, str, int], totals: Totals, source_of: Callable[[int], str]
) -> Access:
    line, space, op, width = key
    shared = space is Space.SHARED
    return Access(
        kernel=kernel,
        line=line,
        source=source_of(line),
        space=space,
        op=op,
        bytes_per_lane=width,
        requests=totals.requests,
        sectors=None if shared else totals.cost,
        ideal_sectors=None if shared else totals.ideal,
        wavefronts=totals.cost if shared else None,
        ideal_wavefronts=totals.ideal if shared else None,
        hardware_requests=totals.hardware_requests,
        hardware_wavefronts=totals.hardware_cost if shared else None,
        hardware_sectors=None if shared else totals.hardware_cost,
        worst=totals.worst,
    )
