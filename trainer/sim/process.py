"""A submission started on the simulated GPU, with all that one call of `solve` leaves to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trainer.cuda.device import Device
from trainer.cuda.host import HostProcess
from trainer.cuda.model import Program
from trainer.grade.backend import ArgumentValue
from trainer.ptx.engine import Engine
from trainer.sim.arguments import BoundArguments
from trainer.sim.memory import SimMemory

ARENA_BYTES = 4 << 30  # reserved, committed as it is touched


@dataclass(frozen=True)
class Watching:
    """What runs are instrumented for: engine and memory are made for it."""

    watched: bool
    shadows: bool


class SimProcess:
    """Variables of host and device, allocations that were not freed, attributes that were set."""

    def __init__(self, program: Program, engine: Engine, watching: Watching, seed: int) -> None:
        self.watching = watching
        self.memory = SimMemory(ARENA_BYTES, seed, shadows=watching.shadows)
        self.dynamic: dict[str, int] = {}  # by kernel: bytes of dynamic shared memory it may have
        self._program = program
        self._engine = engine
        self._host: HostProcess | None = None
        self._arguments: BoundArguments | None = None
        engine.load(self.memory)

    def bind(self, arguments: Sequence[ArgumentValue]) -> BoundArguments:
        """The arguments of the next call; those of the call before are gone then, as far as kernels go."""
        if self._arguments is not None:
            self._arguments.release()
        self._arguments = BoundArguments(self.memory, arguments)
        return self._arguments

    def host(self, device: Device) -> HostProcess:
        if self._host is None:
            self._host = HostProcess(self._program, device)
        return self._host

    def close(self) -> None:
        """Of no further use; what arrays hold can still be read."""
        if self._host is not None:
            self._host.close()
        self._engine.unload(self.memory)
