"""Launches and what surrounds them: limits, attributes, occupancy, waiting, streams and events."""

from __future__ import annotations

import struct
import time
from dataclasses import dataclass, field
from functools import partial

from trainer.cuda.attributes import MAX_BLOCK, MAX_GRID, device_attribute, resident_blocks
from trainer.cuda.demangle import pretty
from trainer.cuda.device import Dim3, Launch
from trainer.cuda.host_memory_calls import MemoryCalls
from trainer.cuda.host_state import Arguments, Handler, HostState, KernelShape
from trainer.cuda.host_tensor_calls import TensorCalls
from trainer.cuda.model import KernelResources
from trainer.cuda.status import Status
from trainer.cuda.traps import LAUNCH, LAUNCH_BUFFER

DYNAMIC_SHARED_ATTRIBUTE = 8  # cudaFuncAttributeMaxDynamicSharedMemorySize
MAX_PORTABLE_CLUSTER = 8
MAX_PARAMETER_BYTES = 32764  # of one kernel, from compute capability 7.0 on


@dataclass(frozen=True)
class _Pending:
    """Between the two calls of a launch: parameters are being stored."""

    kernel: str
    grid: Dim3
    block: Dim3
    shared_bytes: int
    line: int


@dataclass
class LaunchCalls:
    state: HostState
    memory_calls: MemoryCalls
    tensor_calls: TensorCalls
    pending: dict[int, _Pending] = field(default_factory=dict)  # by address of the parameter buffer
    buffers: list[int] = field(default_factory=list)  # parameter buffers that no launch is using
    dynamic_shared: dict[str, int] = field(default_factory=dict)
    events: dict[int, float | None] = field(default_factory=dict)
    next_handle: int = 1

    def handlers(self) -> dict[str, Handler]:
        return {
            LAUNCH_BUFFER: self.launch_buffer,
            LAUNCH: self.launch_device,
            "wd_launch": self.launch_by_pointer,
            "wd_function_set": self.function_set,
            "wd_function_number": self.function_number,
            "wd_occupancy": self.occupancy,
            "wd_occupancy_block_size": self.occupancy_block_size,
            "wd_synchronize": self.synchronize,
            "wd_stream_synchronize": self.synchronize,
            "wd_event_synchronize": self.synchronize,
            "wd_stream_create": self.create,
            "wd_stream_destroy": lambda a: Status.SUCCESS,
            "wd_event_create": self.event_create,
            "wd_event_destroy": lambda a: Status.SUCCESS,
            "wd_event_record": self.event_record,
            "wd_event_elapsed": self.event_elapsed,
            "wd_last_error": self.last_error,
            "wd_device_attribute": self.device_attribute,
            "wd_device_number": lambda a: self.state.device.properties.total_bytes,
            "wd_device_name": self.device_name,
        }

    # ---- launching

    def launch_buffer(self, a: Arguments) -> int:
        """The address where host code stores the parameters; 0 makes it skip the launch."""
        kernel = self._kernel(a.word(0), a.line)
        wanted = _Pending(kernel, a.dim3(1), a.dim3(2), a.word(3), a.line)
        if self._refuse(wanted):
            return 0
        address = self.buffers.pop() if self.buffers else self.state.memory.allocate(MAX_PARAMETER_BYTES)
        self.pending[address] = wanted
        return address

    def launch_device(self, a: Arguments) -> int:
        address = a.word(0)
        wanted = self.pending.pop(address)
        nbytes = self.state.kernels[wanted.kernel].nbytes
        parameters = self.state.memory.read(address, nbytes) if nbytes else b""
        self.buffers.append(address)
        return self.state.enqueue(partial(self._launch, wanted, parameters, stream=a.word(1)))

    def launch_by_pointer(self, a: Arguments) -> int:
        kernel = self._kernel(a.word(0), a.line)
        grid = (a.word(1), a.word(2), a.word(3))
        block = (a.word(4), a.word(5), a.word(6))
        cooperative, cluster = bool(a.word(10)), (a.word(11), a.word(12), a.word(13))
        wanted = _Pending(kernel, grid, block, a.word(8), a.line)
        status = self._refuse(wanted) or self._refuse_together(wanted, cooperative, cluster)
        if status:
            return status
        parameters = self._gather(self.state.kernels[kernel], a.word(7), a.line)
        return self.state.enqueue(
            partial(
                self._launch, wanted, parameters, stream=a.word(9), cooperative=cooperative, cluster=cluster
            )
        )

    def _gather(self, shape: KernelShape, pointers: int, line: int) -> bytes:
        """Parameters from an array of pointers to them, as cudaLaunchKernel takes it."""
        out = bytearray(shape.nbytes)
        for index, (offset, size) in enumerate(shape.parameters):
            place = pointers + 8 * index
            if not self.state.memory.contains(place, 8):
                raise self.state.fault("The array of kernel arguments is not in host memory", line)
            (address,) = struct.unpack("<Q", self.state.memory.read(place, 8))
            if not self.state.memory.contains(address, size):
                raise self.state.fault(f"Kernel argument {index + 1} does not point to host memory", line)
            out[offset : offset + size] = self.state.memory.read(address, size)
        return bytes(out)

    def _launch(
        self,
        wanted: _Pending,
        parameters: bytes,
        *,
        stream: int,
        cooperative: bool = False,
        cluster: Dim3 = (1, 1, 1),
    ) -> int:
        self.tensor_calls.check(parameters)
        self.memory_calls.to_device()
        launch = Launch(
            kernel=wanted.kernel,
            grid=wanted.grid,
            block=wanted.block,
            shared_bytes=wanted.shared_bytes,
            parameters=self.memory_calls.translate(parameters),
            stream=stream,
            cooperative=cooperative,
            cluster=cluster,
            line=wanted.line,
            offsets=tuple(offset for offset, _ in self.state.kernels[wanted.kernel].parameters),
        )
        self.state.recorder.add(launch)
        try:
            self.state.device.launch(launch)
        except (LookupError, ValueError, OverflowError, struct.error) as error:  # a fault of ours
            raise RuntimeError(f"running {pretty(wanted.kernel)}: {error!r}") from error
        return Status.SUCCESS

    def _kernel(self, address: int, line: int) -> str:
        name = self.state.function_at(address)
        if name is None or name not in self.state.kernels:
            raise self.state.fault("A launch of something that is not a kernel", line)
        return name

    # ---- limits

    def _refuse(self, wanted: _Pending) -> Status:
        """What the driver checks before it launches; the sentence goes to the user."""
        p = self.state.device.properties
        resources = self._resources(wanted.kernel)
        threads = wanted.block[0] * wanted.block[1] * wanted.block[2]
        static = resources.least_shared_bytes
        shared = wanted.shared_bytes + static
        limit = self.dynamic_shared.get(wanted.kernel, 0) + static
        shape = (
            f"{pretty(wanted.kernel)}<<<{_dim3(wanted.grid)}, {_dim3(wanted.block)}, {wanted.shared_bytes}>>>"
        )
        if min(wanted.grid) == 0 or min(wanted.block) == 0:
            why, empty = "a dimension is 0", min(wanted.block) > 0
            return self._failed(Status.INVALID_CONFIGURATION, shape, why, wanted.line, empty=empty)
        if any(n > most for n, most in zip(wanted.grid, MAX_GRID, strict=True)):
            return self._failed(
                Status.INVALID_CONFIGURATION, shape, f"the grid may be at most {MAX_GRID}", wanted.line
            )
        if threads > p.max_threads_per_block or any(
            n > most for n, most in zip(wanted.block, MAX_BLOCK, strict=True)
        ):
            return self._failed(
                Status.INVALID_CONFIGURATION,
                shape,
                f"the block has {threads:,} threads; at most {p.max_threads_per_block:,} "
                f"(x and y up to 1024, z up to 64) are allowed",
                wanted.line,
            )
        if threads > resources.max_threads:
            return self._failed(
                Status.INVALID_VALUE,
                shape,
                f"__launch_bounds__ allows {resources.max_threads} threads a block",
                wanted.line,
            )
        if threads * (resources.registers or 1) > p.registers_per_multiprocessor:
            return self._failed(
                Status.LAUNCH_OUT_OF_RESOURCES,
                shape,
                f"{threads} threads with {resources.registers} registers each exceed the "
                f"{p.registers_per_multiprocessor:,} there are",
                wanted.line,
            )
        if shared > max(limit, p.shared_bytes_per_block):
            return self._failed(
                Status.INVALID_VALUE,
                shape,
                f"{shared:,} bytes of shared memory exceed {max(limit, p.shared_bytes_per_block):,}; "
                "cudaFuncSetAttribute(..., cudaFuncAttributeMaxDynamicSharedMemorySize, ...) allows up to "
                f"{p.shared_bytes_per_block_optin:,}",
                wanted.line,
            )
        return Status.SUCCESS

    def _refuse_together(self, wanted: _Pending, cooperative: bool, cluster: Dim3) -> Status:
        """A cooperative grid must fit on the device at once; clusters must divide the grid."""
        threads = wanted.block[0] * wanted.block[1] * wanted.block[2]
        if cooperative:
            blocks = wanted.grid[0] * wanted.grid[1] * wanted.grid[2]
            fits = self._fits(wanted.kernel, threads, wanted.shared_bytes)
            fits *= self.state.device.properties.multiprocessors
            if blocks > fits:
                return self._failed(
                    Status.COOPERATIVE_LAUNCH_TOO_LARGE,
                    f"cooperative launch of {pretty(wanted.kernel)}",
                    f"{blocks:,} blocks, but {fits:,} fit at once",
                    wanted.line,
                )
        size = cluster[0] * cluster[1] * cluster[2]
        if size > MAX_PORTABLE_CLUSTER or any(
            g % max(c, 1) for g, c in zip(wanted.grid, cluster, strict=True)
        ):
            return self._failed(
                Status.INVALID_CONFIGURATION,
                f"launch of {pretty(wanted.kernel)} in clusters of {_dim3(cluster)}",
                "a cluster has at most 8 blocks and divides the grid",
                wanted.line,
            )
        return Status.SUCCESS

    def _failed(self, status: Status, what: str, why: str, line: int, *, empty: bool = False) -> Status:
        return self.state.fail(status, f"{what} was not launched ({why})", line, empty=empty)

    def _resources(self, kernel: str) -> KernelResources:
        """Numbers that are not known count as 0 below: what does not fit is then the driver's to say."""
        known = self.state.resources.get(kernel)
        return known or KernelResources(pretty(kernel), kernel, 0, None, None, None)

    def _fits(self, kernel: str, threads: int, shared_bytes: int) -> int:
        resources = self._resources(kernel)
        shared = resources.least_shared_bytes + shared_bytes
        return resident_blocks(self.state.device.properties, threads, resources.registers or 0, shared)

    # ---- functions

    def function_set(self, a: Arguments) -> int:
        kernel, attribute, value = self._kernel(a.word(0), a.line), a.word(1), a.signed(2)
        if attribute != DYNAMIC_SHARED_ATTRIBUTE:
            return Status.SUCCESS
        static = self._resources(kernel).least_shared_bytes
        most = self.state.device.properties.shared_bytes_per_block_optin - static
        if not 0 <= value <= most:
            return self.state.fail(
                Status.INVALID_VALUE,
                f"cudaFuncSetAttribute({pretty(kernel)}) to {value:,} bytes of dynamic shared memory "
                f"(at most {most:,})",
                a.line,
            )
        self.dynamic_shared[kernel] = value
        self.state.device.set_max_dynamic_shared(kernel, value)
        return Status.SUCCESS

    def function_number(self, a: Arguments) -> int:
        kernel = self._kernel(a.word(0), a.line)
        resources, p = self._resources(kernel), self.state.device.properties
        static = resources.least_shared_bytes
        most = self.dynamic_shared.get(kernel, p.shared_bytes_per_block - static)
        capability = 10 * p.compute_capability[0] + p.compute_capability[1]
        numbers = [static, resources.spill_bytes or 0, resources.max_threads]
        numbers += [resources.registers or 0, most, capability]
        return numbers[a.word(1)]

    def occupancy(self, a: Arguments) -> int:
        kernel = self._kernel(a.word(1), a.line)
        self.state.store(a.word(0), self._fits(kernel, a.signed(2), a.word(3)), 4, a.line)
        return Status.SUCCESS

    def occupancy_block_size(self, a: Arguments) -> int:
        """The block size with the most resident threads, the largest among equals."""
        kernel, shared, limit = self._kernel(a.word(2), a.line), a.word(3), a.signed(4)
        p = self.state.device.properties
        most = min(
            self._resources(kernel).max_threads, p.max_threads_per_block, limit or p.max_threads_per_block
        )
        sizes = range(most // p.warp_size * p.warp_size or most, 0, -p.warp_size)
        best = max(sizes, key=lambda size: self._fits(kernel, size, shared) * size)
        self.state.store(a.word(0), self._fits(kernel, best, shared) * p.multiprocessors, 4, a.line)
        self.state.store(a.word(1), best, 4, a.line)
        return Status.SUCCESS

    # ---- waiting, streams, events

    def synchronize(self, a: Arguments) -> int:
        """A fault of a kernel is raised here by the device; an earlier API error is not."""
        self.state.recorder.synchronizations += 1
        self.state.device.synchronize()
        self.memory_calls.to_host()
        return Status.SUCCESS

    def create(self, a: Arguments) -> int:
        handle = self.next_handle
        self.next_handle += 1
        self.state.store(a.word(0), handle, 8, a.line)
        return Status.SUCCESS

    def event_create(self, a: Arguments) -> int:
        self.events[self.next_handle] = None
        return self.create(a)

    def event_record(self, a: Arguments) -> int:
        if a.word(0) not in self.events:
            return self.state.fail(
                Status.INVALID_RESOURCE_HANDLE, "cudaEventRecord of what is no event", a.line
            )
        self.state.device.synchronize()
        self.events[a.word(0)] = time.perf_counter()
        return Status.SUCCESS

    def event_elapsed(self, a: Arguments) -> int:
        start, end = self.events.get(a.word(1)), self.events.get(a.word(2))
        if start is None or end is None:
            return self.state.fail(
                Status.INVALID_RESOURCE_HANDLE, "cudaEventElapsedTime of an event never recorded", a.line
            )
        milliseconds = struct.pack("<f", max(1000 * (end - start), 0.001))
        self.state.store(a.word(0), int.from_bytes(milliseconds, "little"), 4, a.line)
        return Status.SUCCESS

    def last_error(self, a: Arguments) -> int:
        error = self.state.last_error
        self.state.acknowledge()
        if a.word(0):
            self.state.last_error = Status.SUCCESS
        return error

    # ---- the device

    def device_attribute(self, a: Arguments) -> int:
        value = device_attribute(self.state.device.properties, a.word(1))
        if a.signed(2) != 0:
            return self.state.fail(Status.INVALID_DEVICE, f"There is no device {a.signed(2)}", a.line)
        if value is None:
            return self.state.fail(Status.INVALID_VALUE, f"There is no device attribute {a.word(1)}", a.line)
        self.state.store(a.word(0), value, 4, a.line)
        return Status.SUCCESS

    def device_name(self, a: Arguments) -> None:
        name = self.state.device.properties.name.encode()[: a.word(1) - 1] + b"\0"
        if not self.state.memory.contains(a.word(0), len(name)):
            raise self.state.fault("cudaGetDeviceProperties got a pointer that is not host memory", a.line)
        self.state.memory.write(a.word(0), name)


def _dim3(size: Dim3) -> str:
    x, y, z = size
    return str(x) if (y, z) == (1, 1) else f"({x}, {y})" if z == 1 else f"({x}, {y}, {z})"
