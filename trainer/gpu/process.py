"""A submission started on the GPU, with all that one call of `solve` leaves to the next."""

from __future__ import annotations

from collections.abc import Sequence

from trainer.cuda.device import DeviceProperties
from trainer.cuda.host import HostProcess
from trainer.cuda.model import Program
from trainer.gpu.arguments import BoundArguments
from trainer.gpu.device import GpuDevice, LoadedModule
from trainer.gpu.driver import Driver
from trainer.gpu.memory import Memory
from trainer.grade.backend import ArgumentValue


class GpuProcess:
    """Variables of host and device, allocations that were not freed, attributes that were set."""

    def __init__(self, driver: Driver, about: DeviceProperties, program: Program, seed: int) -> None:
        self._driver = driver
        self._about = about
        self._program = program
        self._module = LoadedModule(driver, program)
        self.memory = Memory(driver, seed)
        self._host: HostProcess | None = None
        self._arguments: BoundArguments | None = None

    def bind(self, arguments: Sequence[ArgumentValue]) -> BoundArguments:
        """The arguments of the next call; those of the call before hold garbage then."""
        if self._arguments is not None:
            self._arguments.release()
            self._arguments = None
        self._arguments = BoundArguments(self._driver, self.memory, arguments)
        return self._arguments

    def device(self) -> GpuDevice:
        """For one call, whose launches and operations it notes down."""
        return GpuDevice(self._driver, self._about, self._module, self.memory)

    def host(self, device: GpuDevice) -> HostProcess:
        if self._host is None:
            self._host = HostProcess(self._program, device)
        return self._host

    def close(self) -> None:
        """Not after a fault that ended the context: nothing can be given back then."""
        if self._host is not None:
            self._host.close()
        self.memory.close()
        self._module.close()
