"""A driver without a GPU: memory is a numpy array, kernels are Python functions, time is virtual."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from trainer.cuda.device import DeviceProperties, Launch
from trainer.cuda.model import KernelResources, Program
from trainer.gpu.driver import Attribute, CapturedGraph, Dim3, Driver, DriverError, FunctionAttribute

BASE = 0x7F00_0000_0000
ABOUT = DeviceProperties("fake", (9, 0), 4, 2048, 32, 65536, 233472, 49152, 232448, 4096, 1 << 24, 1, 1, 1)

KernelBody = Callable[["FakeDriver", bytes], None]


class FakeDriver(Driver):
    """`kernels` by symbol; each launch takes `kernel_us` of virtual time, a copy or fill 1 us."""

    def __init__(self, capacity: int = 1 << 24) -> None:
        self.memory = np.zeros(capacity, np.uint8)
        self.capacity = capacity
        self.live: dict[int, int] = {}
        self.kernels: dict[str, KernelBody] = {}
        self.symbols: dict[str, tuple[int, int]] = {}
        self.kernel_us = 10.0
        self.clock_us = 0.0
        self.fail: DriverError | None = None
        self.launched: list[tuple[str, Dim3, Dim3]] = []
        self.attributes = {FunctionAttribute.MAX_THREADS: 1024, FunctionAttribute.MAX_DYNAMIC_SHARED: 49152}
        self.graphs: dict[int, list[Callable[[], None]]] = {}
        self._recording: list[Callable[[], None]] | None = None
        self._names: dict[int, str] = {}
        self._next = 0
        self._events: dict[int, float] = {}

    def view(self, address: int, nbytes: int) -> np.ndarray:
        start = address - BASE
        assert start >= 0 and start + nbytes <= self.capacity, hex(address)
        return self.memory[start : start + nbytes]

    def name(self) -> str:
        return "fake"

    def uuid(self) -> str:
        return "GPU-fake"

    def version(self) -> tuple[int, int]:
        return 13, 0

    def attribute(self, which: Attribute) -> int:
        return {Attribute.MULTIPROCESSORS: 4, Attribute.CAPABILITY_MAJOR: 9}.get(which, 0)

    def free_memory(self) -> int:
        return self.capacity - sum(self.live.values())

    def allocate(self, nbytes: int) -> int:
        taken = sorted((address - BASE, size) for address, size in self.live.items())
        at = 0
        for start, size in taken:
            if start - at >= nbytes:
                break
            at = (start + size + 255) // 256 * 256
        if at + nbytes > self.capacity:
            raise DriverError("cuMemAlloc_v2", 2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory")
        self.live[BASE + at] = nbytes
        return BASE + at

    def free(self, address: int) -> None:
        del self.live[address]

    def upload(self, address: int, data: bytes | memoryview) -> None:
        raw = np.frombuffer(data, np.uint8)
        self.view(address, raw.size)[:] = raw

    def download(self, address: int, out: memoryview) -> None:
        self.synchronize()
        out.cast("B")[:] = self.view(address, out.nbytes).tobytes()

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        def work() -> None:
            self.view(destination, nbytes)[:] = self.view(source, nbytes).copy()
            self.clock_us += 1

        self._do(work)

    def fill(self, address: int, value: int, nbytes: int) -> None:
        def work() -> None:
            self.view(address, nbytes)[:] = value & 0xFF
            self.clock_us += 1

        self._do(work)

    def load_module(self, image: bytes) -> int:
        return 1

    def unload_module(self, module: int) -> None:
        pass

    def function(self, module: int, symbol: str) -> int:
        if symbol not in self.kernels:
            raise DriverError("cuModuleGetFunction", 500, "CUDA_ERROR_NOT_FOUND", "not found")
        number = sorted(self.kernels).index(symbol) + 1
        self._names[number] = symbol
        return number

    def symbol(self, module: int, name: str) -> tuple[int, int]:
        if name not in self.symbols:
            raise DriverError("cuModuleGetGlobal_v2", 500, "CUDA_ERROR_NOT_FOUND", "not found")
        return self.symbols[name]

    def function_attribute(self, function: int, which: FunctionAttribute) -> int:
        return self.attributes.get(which, 0)

    def set_function_attribute(self, function: int, which: FunctionAttribute, value: int) -> None:
        if which is FunctionAttribute.MAX_DYNAMIC_SHARED and value > ABOUT.shared_bytes_per_block_optin:
            raise DriverError("cuFuncSetAttribute", 1, "CUDA_ERROR_INVALID_VALUE", "invalid argument")
        self.attributes[which] = value

    def resident_blocks(self, function: int, threads: int, shared_bytes: int) -> int:
        return 2048 // threads

    def launch(
        self,
        function: int,
        grid: Dim3,
        block: Dim3,
        shared_bytes: int,
        parameters: bytes,
        *,
        cooperative: bool = False,
        cluster: Dim3 = (1, 1, 1),
        offsets: Sequence[int] = (),
    ) -> None:
        name = self._names[function]

        def work() -> None:
            self.launched.append((name, grid, block))
            self.kernels[name](self, parameters)
            self.clock_us += self.kernel_us

        self._do(work)

    def synchronize(self) -> None:
        if self.fail is not None:
            raise self.fail

    @contextlib.contextmanager
    def capture(self) -> Iterator[CapturedGraph]:
        graph = CapturedGraph(self)
        self._recording = []
        try:
            yield graph
            graph.executable = len(self.graphs) + 1
            self.graphs[graph.executable] = self._recording
        finally:
            self._recording = None

    def launch_graph(self, executable: int) -> None:
        for work in self.graphs[executable]:
            work()

    def destroy_graph(self, executable: int) -> None:
        self.graphs[executable] = []

    def create_event(self) -> int:
        self._next += 1
        return self._next

    def record(self, event: int) -> None:
        self._events[event] = self.clock_us

    def elapsed_us(self, start: int, end: int) -> float:
        return self._events[end] - self._events[start]

    def destroy_event(self, event: int) -> None:
        self._events.pop(event, None)

    def _do(self, work: Callable[[], None]) -> None:
        if self._recording is not None:
            self._recording.append(work)
        else:
            work()


def program(*kernels: str) -> Program:
    resources = tuple(KernelResources(name, name, 1, 32, 0, 0) for name in kernels)
    return Program("", "solve", "", "", "", (), (), resources, (), "", 0.0, b"cubin")


def launch(kernel: str, parameters: bytes = b"", **changes: object) -> Launch:
    fields: dict[str, object] = {"grid": (1, 1, 1), "block": (32, 1, 1), "shared_bytes": 0, **changes}
    return Launch(kernel=kernel, parameters=parameters, **fields)  # type: ignore[arg-type]
