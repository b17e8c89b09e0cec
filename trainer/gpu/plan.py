"""What a host function did to the device, as data that can be issued again for timing.

A plan falls into segments, cut where the host read something back and then went on: within a
segment everything can run as one CUDA graph.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from trainer.gpu.driver import Dim3, Driver


@dataclass(frozen=True)
class Kernel:
    function: int
    grid: Dim3
    block: Dim3
    shared_bytes: int
    parameters: bytes
    cooperative: bool
    cluster: Dim3
    offsets: tuple[int, ...] = ()

    def issue(self, driver: Driver) -> None:
        driver.launch(
            self.function,
            self.grid,
            self.block,
            self.shared_bytes,
            self.parameters,
            cooperative=self.cooperative,
            cluster=self.cluster,
            offsets=self.offsets,
        )


@dataclass(frozen=True)
class Fill:
    address: int
    value: int
    nbytes: int

    def issue(self, driver: Driver) -> None:
        driver.fill(self.address, self.value, self.nbytes)


@dataclass(frozen=True)
class Copy:
    destination: int
    source: int
    nbytes: int

    def issue(self, driver: Driver) -> None:
        driver.copy(self.destination, self.source, self.nbytes)


class Operation(Protocol):
    """Something that is queued on the device: a launch, a fill, a copy, a call of a library."""

    def issue(self, driver: Driver) -> None: ...


@dataclass(frozen=True)
class Segment:
    """Operations in order, then what the host reads before the next segment: (address, bytes)."""

    operations: list[Operation] = field(default_factory=list)
    reads: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class Plan:
    segments: list[Segment] = field(default_factory=lambda: [Segment()])

    def add(self, operation: Operation) -> None:
        if self.segments[-1].reads:
            self.segments.append(Segment())
        self.segments[-1].operations.append(operation)

    def add_read(self, address: int, nbytes: int) -> None:
        self.segments[-1].reads.append((address, nbytes))

    @property
    def data_dependent(self) -> bool:
        """Whether the host did more on the device after it had seen results."""
        return len(self.segments) > 1

    @property
    def operations(self) -> int:
        return sum(len(segment.operations) for segment in self.segments)
