"""How long a run would take on a named GPU, part by part: predicted from counts, never measured.

Each part of the GPU needs some time for what is asked of it; the slowest one decides, and those near
it add a little (a cubic norm). The constants are fitted to the recorded times of the reference
solutions on an H200, where half of the predictions are within a factor of 1.3 and five of six
neighbouring rungs are in the measured order (`python -m benchmarks.order`). It knows nothing of hits
in L1, of contended atomics, or of loads that are issued early to hide their latency.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from trainer.sim.devices import Model as Gpu
from trainer.sim.report import Access, LaunchRecord, SimReport, Space

# Share of the datasheet's DRAM bandwidth that a copy reaches (measured: 4.25 of 4.8 TB/s on an H200).
DRAM_EFFICIENCY = 0.885

# What L2 delivers to all multiprocessors together, in bytes per clock and multiprocessor.
L2_BYTES_PER_CLOCK = 21.0

# Bytes of global memory that L1 passes on per clock: two sectors.
L1_SECTORS_PER_CLOCK = 2

# A store of part of a sector is read, merged and written in L2.
SCATTERED_STORE = 2

SCHEDULERS = 4  # per multiprocessor, each issues one warp instruction a clock
ATOMICS_PER_CLOCK = 96  # sectors of atomics that all of L2 performs

# Clocks that a warp waits. Several loads are usually in flight, so that each waits a part of its latency.
INSTRUCTION_CLOCKS = 4.5
GLOBAL_LOAD_CLOCKS = 650 / 4
SHARED_CLOCKS = 28 / 1.5
BARRIER_CLOCKS = 20

LAUNCH_US = 1.2

WARP = 32
WARPS_PER_MULTIPROCESSOR = 64

# PTX that becomes no machine instruction, or none worth counting.
_FREE = frozenset({"mov", "cvta", "ret"})
_BARRIERS = frozenset({"bar", "barrier"})
_LOADS = frozenset({"load", "atomic", "async_copy"})


@dataclass(frozen=True)
class Demand:
    """What all launches together ask of each part of a GPU. Not whole numbers once extrapolated."""

    warp_instructions: float
    wavefronts: float  # of L1 and shared memory, which share one pipe
    l2_sectors: float
    dram_bytes: float
    load_requests: float
    shared_requests: float
    barriers: float
    atomic_sectors: float

    def scaled(self, factor: float) -> Demand:
        """For so many times the work."""
        return Demand(*(getattr(self, part.name) * factor for part in fields(self)))


@dataclass(frozen=True)
class Residency:
    """How the launch with most work fills a GPU. `occupancy` is a share of the resident warps."""

    blocks: int
    warps_per_block: int
    occupancy: float


@dataclass(frozen=True)
class Prediction:
    """`parts_us`: what each part would need if it were alone, by name, slowest first. "launching" is
    there too, though it is added to the others' time."""

    predicted_us: float
    parts_us: Mapping[str, float]

    @property
    def limiter(self) -> str:
        return next(iter(self.parts_us))


def predict(report: SimReport, gpu: Gpu) -> Prediction | None:
    """For the run as simulated; None where nothing was counted."""
    if report.model is None or not report.launches:
        return None
    return predict_from(demand_of(report), residency_of(report.launches), len(report.launches), gpu)


def predict_from(demand: Demand, residency: Residency, launches: int, gpu: Gpu) -> Prediction:
    """The time of `launches` launches that together make this demand."""
    busy = min(gpu.multiprocessors, residency.blocks)
    clocks_per_us = gpu.boost_mhz
    parts = {
        "instruction issue": demand.warp_instructions / SCHEDULERS / busy / clocks_per_us,
        "L1 and shared memory": demand.wavefronts / busy / clocks_per_us,
        "L2": demand.l2_sectors * 32 / (L2_BYTES_PER_CLOCK * gpu.multiprocessors * clocks_per_us),
        "DRAM": demand.dram_bytes / (gpu.dram_gbps * 1e3 * DRAM_EFFICIENCY),
        "latency": _waiting_clocks(demand) / busy / _warps_in_flight(residency, busy) / clocks_per_us,
        "atomics": demand.atomic_sectors / ATOMICS_PER_CLOCK / clocks_per_us,
    }
    total = math.cbrt(sum(part**3 for part in parts.values())) + LAUNCH_US * launches
    parts["launching"] = LAUNCH_US * launches
    slowest_first = sorted(parts.items(), key=lambda part: -part[1])
    return Prediction(total, dict(slowest_first))


def demand_of(report: SimReport) -> Demand:
    """Raises ValueError where nothing was counted."""
    if report.model is None:
        raise ValueError("the run was not observed")
    mix = report.instruction_mix
    in_dram = [a for a in report.access if a.space in (Space.GLOBAL, Space.LOCAL)]
    in_shared = [a for a in report.access if a.space is Space.SHARED]
    scattered = sum(_excess(a) * (SCATTERED_STORE if a.op == "store" else 1) for a in in_dram)
    return Demand(
        warp_instructions=sum(count for op, count in mix.items() if op not in _FREE),
        wavefronts=sum(max(_requests(a), _sectors(a) / L1_SECTORS_PER_CLOCK) for a in in_dram)
        + sum(a.hardware_wavefronts or a.wavefronts or 0 for a in in_shared),
        l2_sectors=scattered + report.model.dram_bytes / 32,
        dram_bytes=report.model.dram_bytes,
        load_requests=sum(_requests(a) for a in in_dram if a.op in _LOADS),
        shared_requests=sum(_requests(a) for a in in_shared),
        barriers=sum(count for op, count in mix.items() if op in _BARRIERS),
        atomic_sectors=sum(_sectors(a) for a in in_dram if a.op == "atomic"),
    )


def residency_of(launches: Sequence[LaunchRecord]) -> Residency:
    largest = max(launches, key=lambda launch: launch.thread_instructions)
    return Residency(
        math.prod(largest.grid), math.ceil(math.prod(largest.block) / WARP), largest.occupancy or 1.0
    )


def _waiting_clocks(demand: Demand) -> float:
    """Clocks that all warps together would wait if each did one thing after the other."""
    return (
        demand.warp_instructions * INSTRUCTION_CLOCKS
        + demand.load_requests * GLOBAL_LOAD_CLOCKS
        + demand.shared_requests * SHARED_CLOCKS
        + demand.barriers * BARRIER_CLOCKS
    )


def _warps_in_flight(residency: Residency, busy: int) -> float:
    """Per multiprocessor that has any."""
    warps = residency.warps_per_block
    resident = max(1, round(residency.occupancy * WARPS_PER_MULTIPROCESSOR) // warps)
    return min(residency.blocks / busy, resident) * warps


def _requests(access: Access) -> int:
    return access.hardware_requests or access.requests


def _sectors(access: Access) -> int:
    return access.hardware_sectors or access.sectors or 0


def _excess(access: Access) -> int:
    return max(0, _sectors(access) - (access.ideal_sectors or 0))
