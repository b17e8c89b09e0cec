"""What a host function would launch at a size that is too large to simulate."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from trainer.bank.expressions import evaluate
from trainer.bank.model import Argument, KernelTask, Role
from trainer.cuda.compile import compile_submission
from trainer.cuda.device import DeviceProperties, Launch
from trainer.cuda.host import run_host
from trainer.cuda.tensor_map import MAP_BYTES, TensorMap
from trainer.errors import WarpDojoError
from trainer.sim import devices
from trainer.sim.report import LaunchRecord

_ITEM_BYTES = 8  # no element is larger
_SYMBOL_BYTES = 1 << 24
_GAP = 4096


def planned(task: KernelTask, source: str) -> tuple[LaunchRecord, ...]:
    """The launches at the timed size; none where the host function needs results to go on."""
    device = PlanningDevice()
    arguments = tuple(_value(device, argument, task) for argument in task.arguments)
    try:
        program = compile_submission(source, task.signature)
        run_host(program, device, arguments)
    except WarpDojoError:
        return ()
    names = {kernel.symbol: kernel.name for kernel in program.kernels}
    return tuple(
        LaunchRecord(names.get(one.kernel, one.kernel), one.grid, one.block, one.shared_bytes, None)
        for one in device.launched
    )


def _value(device: PlanningDevice, argument: Argument, task: KernelTask) -> int | float:
    if argument.role is Role.SCALAR:
        return task.timed.sizes.get(argument.name, 1)
    return device.allocate(_ITEM_BYTES * math.prod(evaluate(x, task.timed.sizes) for x in argument.shape))


@dataclass
class PlanningDevice:
    """A `trainer.cuda.device.Device` without memory: what is read from it is zero."""

    launched: list[Launch] = field(default_factory=list)
    _blocks: list[tuple[int, int]] = field(default_factory=list)
    _next: int = 0x7F00_0000_0000

    @property
    def properties(self) -> DeviceProperties:
        return devices.properties(devices.find("H200"))

    def allocate(self, nbytes: int) -> int:
        address = self._next
        self._blocks.append((address, nbytes))
        self._next += -(-nbytes // _GAP) * _GAP + _GAP
        return address

    def owns(self, address: int) -> bool:
        return any(start <= address < start + nbytes for start, nbytes in self._blocks)

    def symbol(self, name: str) -> tuple[int, int]:
        return self.allocate(_SYMBOL_BYTES), _SYMBOL_BYTES

    def read(self, address: int, nbytes: int) -> bytes:
        return bytes(nbytes)

    def encode(self, described: TensorMap) -> bytes:
        return bytes(MAP_BYTES)

    def launch(self, launch: Launch) -> None:
        self.launched.append(launch)

    def free(self, address: int) -> None:
        """There is nothing to free, and likewise below nothing to do."""

    def fill(self, address: int, value: int, nbytes: int) -> None: ...

    def write(self, address: int, data: bytes) -> None: ...

    def copy(self, destination: int, source: int, nbytes: int) -> None: ...

    def set_max_dynamic_shared(self, kernel: str, nbytes: int) -> None: ...

    def synchronize(self) -> None: ...
