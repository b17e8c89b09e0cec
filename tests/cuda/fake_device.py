"""A device that keeps bytes and records launches without running them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from trainer.cuda.device import DeviceProperties, Launch
from trainer.cuda.tensor_map import MAP_BYTES, TensorMap
from trainer.errors import DeviceFault

PROPERTIES = DeviceProperties(
    name="Test GPU",
    compute_capability=(9, 0),
    multiprocessors=132,
    max_threads_per_multiprocessor=2048,
    max_blocks_per_multiprocessor=32,
    registers_per_multiprocessor=65536,
    shared_bytes_per_multiprocessor=233472,
    shared_bytes_per_block=49152,
    shared_bytes_per_block_optin=232448,
    l2_bytes=50 << 20,
    total_bytes=80 << 30,
    clock_khz=1_980_000,
    memory_clock_khz=2_600_000,
    memory_bus_bits=5120,
)


@dataclass
class FakeDevice:
    """`run`, if given, is called at every launch: a kernel in Python."""

    run: Callable[[FakeDevice, Launch], None] | None = None
    properties: DeviceProperties = PROPERTIES
    memory: dict[int, bytearray] = field(default_factory=dict)
    launched: list[Launch] = field(default_factory=list)
    symbols: dict[str, int] = field(default_factory=dict)
    dynamic_shared: dict[str, int] = field(default_factory=dict)
    maps: list[TensorMap] = field(default_factory=list)
    synchronizations: int = 0
    next_address: int = 0x7F00_0000_0000

    def allocate(self, nbytes: int) -> int:
        if nbytes > 1 << 30:
            raise DeviceFault("out of memory")
        address = self.next_address
        self.next_address += -(-nbytes // 256) * 256 + 4096
        self.memory[address] = bytearray(b"\xcd" * nbytes)
        return address

    def free(self, address: int) -> None:
        del self.memory[address]

    def fill(self, address: int, value: int, nbytes: int) -> None:
        self.write(address, bytes([value]) * nbytes)

    def write(self, address: int, data: bytes) -> None:
        base, content = self._find(address, len(data))
        content[address - base : address - base + len(data)] = data

    def read(self, address: int, nbytes: int) -> bytes:
        base, content = self._find(address, nbytes)
        return bytes(content[address - base : address - base + nbytes])

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        self.write(destination, self.read(source, nbytes))

    def symbol(self, name: str) -> tuple[int, int]:
        if name not in self.symbols:
            self.symbols[name] = self.allocate(64)
        return self.symbols[name], 64

    def encode(self, described: TensorMap) -> bytes:
        self.maps.append(described)
        return bytes([len(self.maps)]) * MAP_BYTES

    def set_max_dynamic_shared(self, kernel: str, nbytes: int) -> None:
        self.dynamic_shared[kernel] = nbytes

    def launch(self, launch: Launch) -> None:
        self.launched.append(launch)
        if self.run:
            self.run(self, launch)

    def synchronize(self) -> None:
        self.synchronizations += 1

    def owns(self, address: int) -> bool:
        return any(base <= address < base + len(content) for base, content in self.memory.items())

    def _find(self, address: int, nbytes: int) -> tuple[int, bytearray]:
        for base, content in self.memory.items():
            if base <= address and address + nbytes <= base + len(content):
                return base, content
        raise DeviceFault(f"{address:#x} is not allocated")
