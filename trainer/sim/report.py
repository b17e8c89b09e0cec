"""What the simulator observed, as data: the `launches`, `access`, `hazards` and `model` of the contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from trainer.cuda.device import Dim3


class Space(StrEnum):
    GLOBAL = "global"
    SHARED = "shared"
    LOCAL = "local"
    CONSTANT = "constant"


@dataclass(frozen=True)
class Access:
    """All executions of one memory instruction, summed over a launch set.

    One request is one warp-level instruction with an active lane. Sectors are 32 bytes (global,
    local); wavefronts are shared-memory passes. `ideal_*` is the least for the bytes used.
    `as_hardware` counts what ptxas fuses: the numbers Nsight Compute shows.
    """

    kernel: str
    line: int
    source: str
    space: Space
    op: str  # "load" | "store" | "atomic" | "async_copy" | "ldmatrix"
    bytes_per_lane: int
    requests: int
    sectors: int | None
    ideal_sectors: int | None
    wavefronts: int | None
    ideal_wavefronts: int | None
    hardware_requests: int | None = None
    hardware_wavefronts: int | None = None
    worst: WorstRequest | None = None
    hardware_sectors: int | None = None


@dataclass(frozen=True)
class WorstRequest:
    """The request that cost most at its line: for the bank grid and the sector strip."""

    block: Dim3
    warp: int
    active: int  # lane mask
    addresses: tuple[int, ...]  # 32 byte addresses relative to a 128-byte boundary
    cost: int  # sectors or wavefronts


class HazardKind(StrEnum):
    OUT_OF_BOUNDS = "out_of_bounds"
    MISALIGNED = "misaligned"
    NULL_POINTER = "null_pointer"
    FREED_POINTER = "freed_pointer"
    UNINITIALISED_READ = "uninitialised_read"
    UNFINISHED_COPY = "unfinished_copy"
    SHARED_RACE = "shared_race"
    GLOBAL_RACE = "global_race"
    BARRIER_DIVERGENCE = "barrier_divergence"
    ABSENT_LANE = "absent_lane"
    RUNAWAY = "runaway"
    ASSERT = "assert"


class Beyond(StrEnum):
    """What an access out of bounds went out of, or into."""

    ARRAY = "array"  # past its end or before its start
    SHARED = "shared"  # past what the block has
    NO_SHARED = "no_shared"  # of a block that has none
    LOCAL = "local"
    CONSTANT = "constant"  # a write to it
    HOST = "host"
    NOTHING = "nothing"  # an address where nothing is


@dataclass(frozen=True)
class Deed:
    """What a thread did to which array: "reads", "A", "A[1024]"."""

    verb: str
    array: str
    place: str

    def __str__(self) -> str:
        return f"{self.verb} {self.place}"


@dataclass(frozen=True)
class Hazard:
    """One finding; repeated findings at a line are merged and counted.

    `fatal` hazards fail the submission; the rest are advice (e.g. an intra-warp race that
    lock-step execution hides). `straddles`: an aligned load that begins inside its array and reaches
    over the end: no GPU traps on it, and what it read too much may never be used. `overwrites`: a race
    between two writes of different values. `undefined`: a shuffle from lanes that are not there. `beyond`: of
    accesses out of bounds. `deed`: the access, where it is one that a GPU traps.
    """

    kind: HazardKind
    line: int
    kernel: str
    block: Dim3
    thread: Dim3
    address: str  # "output[1024]", "s[33]", ...
    message: str
    other_line: int | None = None
    other_thread: Dim3 | None = None
    other_block: Dim3 | None = None
    count: int = 1
    fatal: bool = True
    straddles: bool = False
    overwrites: bool = False
    undefined: bool = False
    beyond: Beyond | None = None
    deed: Deed | None = None


@dataclass(frozen=True)
class Divergence:
    """Branch instructions at one line: how full warps were there."""

    kernel: str
    line: int
    source: str
    executions: int  # warp-level
    active_lanes: int  # summed
    divergent_branches: int


@dataclass(frozen=True)
class LaunchRecord:
    kernel: str
    grid: Dim3
    block: Dim3
    shared_bytes: int
    occupancy: float | None
    thread_instructions: int = 0
    flops: int = 0


@dataclass(frozen=True)
class Model:
    """A roofline estimate for a named GPU: modelled, never measured."""

    device: str
    dram_bytes: int
    flops: int
    floor_us: float
    bound: str  # "memory" | "compute" | "latency"
    predicted_us: float | None = None
    parts_us: Mapping[str, float] = field(default_factory=dict)  # `trainer.sim.prediction`, slowest first


@dataclass(frozen=True)
class SimReport:
    launches: tuple[LaunchRecord, ...] = ()
    access: tuple[Access, ...] = ()
    hazards: tuple[Hazard, ...] = ()
    divergence: tuple[Divergence, ...] = ()
    model: Model | None = None
    printed: str = ""
    instruction_mix: dict[str, int] = field(default_factory=dict)
