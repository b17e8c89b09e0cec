"""A device that runs kernels in the PTX engine, with nothing watched."""

from __future__ import annotations

from tests.cuda.fake_device import PROPERTIES
from trainer.cuda.device import DeviceProperties, Launch
from trainer.cuda.model import Program
from trainer.ptx.engine import Engine
from trainer.ptx.memory import Memory
from trainer.ptx.parse import parse_module


class EngineDevice:
    properties: DeviceProperties = PROPERTIES

    def __init__(self, program: Program) -> None:
        self.engine = Engine(parse_module(program.device_ptx, "submission.cu"))
        self.memory = Memory(1 << 30)
        self.variables = self.engine.load(self.memory)

    def allocate(self, nbytes: int) -> int:
        address = self.memory.allocate(nbytes)
        self.memory.fill(address, 0xCD, nbytes)
        return address

    def free(self, address: int) -> None:
        self.memory.free(address)

    def fill(self, address: int, value: int, nbytes: int) -> None:
        self.memory.fill(address, value, nbytes)

    def write(self, address: int, data: bytes) -> None:
        self.memory.write(address, data)

    def read(self, address: int, nbytes: int) -> bytes:
        return self.memory.read(address, nbytes)

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        self.memory.write(destination, self.memory.read(source, nbytes))

    def symbol(self, name: str) -> tuple[int, int]:
        return self.variables[name], self.engine.module.variables[name].nbytes

    def set_max_dynamic_shared(self, kernel: str, nbytes: int) -> None:
        return None

    def launch(self, launch: Launch) -> None:
        self.engine.launch(
            launch.kernel, launch.grid, launch.block, launch.shared_bytes, launch.parameters, self.memory
        )

    def synchronize(self) -> None:
        return None

    def owns(self, address: int) -> bool:
        return self.memory.holds(address)
