"""The abstract device that a host function drives, and the launch as data.

`trainer.cuda.host` executes the submission's `solve` (one PTX thread) and turns every trapped API
call into one call on a `Device`. The simulator and the GPU each implement it. Addresses are plain
integers; what they mean is the device's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from trainer.cuda.tensor_map import TensorMap

Dim3 = tuple[int, int, int]


@dataclass(frozen=True)
class Launch:
    """One kernel launch: `parameters` is the packed parameter buffer, laid out as PTX says, and `offsets`
    says where in it each parameter begins."""

    kernel: str  # mangled `.entry`
    grid: Dim3
    block: Dim3
    shared_bytes: int  # dynamic
    parameters: bytes
    stream: int = 0
    cooperative: bool = False
    cluster: Dim3 = (1, 1, 1)
    line: int = 0  # where the host function launches it
    offsets: tuple[int, ...] = ()


@dataclass(frozen=True)
class DeviceProperties:
    """What cudaGetDeviceProperties and friends answer; a named model when simulating."""

    name: str
    compute_capability: tuple[int, int]
    multiprocessors: int
    max_threads_per_multiprocessor: int
    max_blocks_per_multiprocessor: int
    registers_per_multiprocessor: int
    shared_bytes_per_multiprocessor: int
    shared_bytes_per_block: int  # default limit: 48 KiB
    shared_bytes_per_block_optin: int
    l2_bytes: int
    total_bytes: int
    clock_khz: int
    memory_clock_khz: int
    memory_bus_bits: int
    warp_size: int = 32
    max_threads_per_block: int = 1024


class Device(Protocol):
    """Where a submission's memory lives and its kernels run.

    Methods raise `DeviceFault` for what a GPU would refuse or trap, `UnsupportedError` for what
    this backend cannot do, `TimeLimitError` when a budget runs out.
    """

    @property
    def properties(self) -> DeviceProperties: ...

    def allocate(self, nbytes: int) -> int:
        """Scratch memory, 256-byte aligned, contents undefined (poisoned)."""

    def free(self, address: int) -> None: ...

    def fill(self, address: int, value: int, nbytes: int) -> None: ...

    def write(self, address: int, data: bytes) -> None:
        """Host to device."""

    def read(self, address: int, nbytes: int) -> bytes:
        """Device to host; makes the plan data-dependent."""

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        """Device to device."""

    def symbol(self, name: str) -> tuple[int, int]:
        """Address and size in bytes of a `__device__` or `__constant__` variable (mangled name)."""

    def encode(self, described: TensorMap) -> bytes:
        """The 128 bytes of a tensor map that breaks none of `TensorMap.mistake`'s rules."""

    def set_max_dynamic_shared(self, kernel: str, nbytes: int) -> None: ...

    def launch(self, launch: Launch) -> None: ...

    def synchronize(self) -> None: ...

    def owns(self, address: int) -> bool:
        """Whether `address` is device memory (cudaMemcpyDefault has to know)."""
