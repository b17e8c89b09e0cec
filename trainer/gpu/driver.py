"""The CUDA driver API through ctypes: the few dozen calls that grading needs, and nothing else.

Why not through CuPy: importing it costs half a second in every worker, it memoises modules by
source (device globals would live on from case to case), and it cannot launch clusters. The code
that runs is the same: NVRTC's cubin of the source and options that `cupy.RawModule` would get
(a test marked gpu holds us to that).

Names, values and struct layouts: https://docs.nvidia.com/cuda/cuda-driver-api (CUDA 12 and 13).
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p
from enum import IntEnum
from typing import Any

from trainer.cuda.tensor_map import MAP_ALIGN, MAP_BYTES, TensorMap
from trainer.errors import MissingToolError

Dim3 = tuple[int, int, int]

# libcuda comes with the driver; under WSL it lies in a folder that is not on every loader path.
_LIBRARIES = ("libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "libcuda.so")


class Attribute(IntEnum):
    """CUdevice_attribute."""

    MAX_BLOCK_X = 2
    MAX_BLOCK_Y = 3
    MAX_BLOCK_Z = 4
    MAX_GRID_X = 5
    MAX_GRID_Y = 6
    MAX_GRID_Z = 7
    SHARED_PER_BLOCK = 8
    CLOCK_KHZ = 13
    MULTIPROCESSORS = 16
    MEMORY_CLOCK_KHZ = 36
    MEMORY_BUS_BITS = 37
    L2_BYTES = 38
    THREADS_PER_MULTIPROCESSOR = 39
    CAPABILITY_MAJOR = 75
    CAPABILITY_MINOR = 76
    SHARED_PER_MULTIPROCESSOR = 81
    REGISTERS_PER_MULTIPROCESSOR = 82
    SHARED_PER_BLOCK_OPTIN = 97
    BLOCKS_PER_MULTIPROCESSOR = 106


class FunctionAttribute(IntEnum):
    """CUfunction_attribute."""

    MAX_THREADS = 0
    SHARED_BYTES = 1
    LOCAL_BYTES = 3
    REGISTERS = 4
    MAX_DYNAMIC_SHARED = 8
    NON_PORTABLE_CLUSTER = 14


class DriverError(Exception):
    """A driver call that failed: `name` is CUDA_ERROR_..., `text` the driver's own words."""

    def __init__(self, call: str, code: int, name: str, text: str) -> None:
        super().__init__(f"{call}: {name} ({text})")
        self.call = call
        self.code = code
        self.name = name
        self.text = text


class _LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute: an id, padding, a 64-byte value."""

    _fields_ = [("id", c_uint), ("pad", ctypes.c_char * 4), ("value", c_uint * 16)]


class _LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = [
        *[(name, c_uint) for name in ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z")],
        ("shared_bytes", c_uint),
        ("stream", c_void_p),
        ("attributes", ctypes.POINTER(_LaunchAttribute)),
        ("attribute_count", c_uint),
    ]


_ATTRIBUTE_COOPERATIVE = 2
_ATTRIBUTE_CLUSTER = 4
_PARAM_END, _PARAM_POINTER, _PARAM_SIZE = 0, 1, 2
_NON_BLOCKING_STREAM = 1
_CAPTURE_THREAD_LOCAL = 1


class Driver:
    """One device, its primary context current on this thread, and one stream for everything.

    The stream is not the default one: only such a stream can be captured in a graph.
    """

    def __init__(self, ordinal: int = 0) -> None:
        self._cuda = load_library()
        self._call("cuInit", c_uint(0))
        self._device = c_int()
        self._call("cuDeviceGet", byref(self._device), c_int(ordinal))
        context = c_void_p()
        self._call("cuDevicePrimaryCtxRetain", byref(context), self._device)
        self._call("cuCtxSetCurrent", context)
        stream = c_void_p()
        self._call("cuStreamCreate", byref(stream), c_uint(_NON_BLOCKING_STREAM))
        self._stream = stream

    # --- the device -------------------------------------------------------------------------

    @property
    def stream(self) -> int:
        """The handle of the stream, for a library that is to queue its work on it."""
        return self._stream.value or 0

    def name(self) -> str:
        buffer = ctypes.create_string_buffer(256)
        self._call("cuDeviceGetName", buffer, c_int(256), self._device)
        return buffer.value.decode()

    def uuid(self) -> str:
        """As nvidia-smi prints it."""
        raw = (ctypes.c_ubyte * 16)()
        self._call("cuDeviceGetUuid_v2", byref(raw), self._device)
        return format_uuid(bytes(raw))

    def version(self) -> tuple[int, int]:
        """The newest CUDA version that this driver understands."""
        number = c_int()
        self._call("cuDriverGetVersion", byref(number))
        return number.value // 1000, number.value % 1000 // 10

    def attribute(self, which: Attribute) -> int:
        value = c_int()
        self._call("cuDeviceGetAttribute", byref(value), c_int(which), self._device)
        return value.value

    def total_memory(self) -> int:
        total = c_size_t()
        self._call("cuDeviceTotalMem_v2", byref(total), self._device)
        return total.value

    def free_memory(self) -> int:
        free, total = c_size_t(), c_size_t()
        self._call("cuMemGetInfo_v2", byref(free), byref(total))
        return free.value

    # --- memory -----------------------------------------------------------------------------

    def allocate(self, nbytes: int) -> int:
        address = c_uint64()
        self._call("cuMemAlloc_v2", byref(address), c_size_t(nbytes))
        return address.value

    def free(self, address: int) -> None:
        self._call("cuMemFree_v2", c_uint64(address))

    def upload(self, address: int, data: bytes | memoryview) -> None:
        """Host to device. The data may change or go as soon as this returns."""
        view = memoryview(data).cast("B")
        if view.nbytes:
            source, keep = _address_of(view)
            self._call("cuMemcpyHtoDAsync_v2", c_uint64(address), source, c_size_t(view.nbytes), self._stream)
            self.synchronize()
            del keep

    def download(self, address: int, out: memoryview) -> None:
        """Device to host, into a writable buffer; waits for all work before it."""
        view = out.cast("B")
        if view.nbytes:
            target = (ctypes.c_char * view.nbytes).from_buffer(view)
            size = c_size_t(view.nbytes)
            self._call("cuMemcpyDtoHAsync_v2", target, c_uint64(address), size, self._stream)
        self.synchronize()

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        if nbytes:
            size = c_size_t(nbytes)
            self._call("cuMemcpyDtoDAsync_v2", c_uint64(destination), c_uint64(source), size, self._stream)

    def fill(self, address: int, value: int, nbytes: int) -> None:
        """Sets bytes, as cudaMemset does."""
        if nbytes:
            byte = ctypes.c_ubyte(value & 0xFF)
            self._call("cuMemsetD8Async", c_uint64(address), byte, c_size_t(nbytes), self._stream)

    def encode(self, described: TensorMap) -> bytes:
        """cuTensorMapEncodeTiled: the map that a kernel gets as a `const __grid_constant__` parameter."""
        room = ctypes.create_string_buffer(MAP_BYTES + MAP_ALIGN)
        start = -ctypes.addressof(room) % MAP_ALIGN
        rank, pitches = len(described.extents), described.pitches
        self._call(
            "cuTensorMapEncodeTiled",
            byref(room, start),
            c_int(described.type),
            c_uint(rank),
            c_void_p(described.address),
            (c_uint64 * rank)(*described.extents),
            (c_uint64 * max(1, len(pitches)))(*pitches),
            (c_uint * rank)(*described.box),
            (c_uint * rank)(*described.steps),
            c_int(described.interleave),
            c_int(described.swizzle),
            c_int(described.promotion),
            c_int(described.fill),
        )
        return room.raw[start : start + MAP_BYTES]

    # --- modules and launches ---------------------------------------------------------------

    def load_module(self, image: bytes) -> int:
        module = c_void_p()
        self._call("cuModuleLoadData", byref(module), c_char_p(image))
        return module.value or 0

    def unload_module(self, module: int) -> None:
        self._call("cuModuleUnload", c_void_p(module))

    def function(self, module: int, symbol: str) -> int:
        function = c_void_p()
        self._call("cuModuleGetFunction", byref(function), c_void_p(module), c_char_p(symbol.encode()))
        return function.value or 0

    def symbol(self, module: int, name: str) -> tuple[int, int]:
        address, nbytes = c_uint64(), c_size_t()
        encoded = c_char_p(name.encode())
        self._call("cuModuleGetGlobal_v2", byref(address), byref(nbytes), c_void_p(module), encoded)
        return address.value, nbytes.value

    def function_attribute(self, function: int, which: FunctionAttribute) -> int:
        value = c_int()
        self._call("cuFuncGetAttribute", byref(value), c_int(which), c_void_p(function))
        return value.value

    def set_function_attribute(self, function: int, which: FunctionAttribute, value: int) -> None:
        self._call("cuFuncSetAttribute", c_void_p(function), c_int(which), c_int(value))

    def resident_blocks(self, function: int, threads: int, shared_bytes: int) -> int:
        """How many blocks of this shape one multiprocessor holds."""
        count = c_int()
        arguments = (byref(count), c_void_p(function), c_int(threads), c_size_t(shared_bytes))
        self._call("cuOccupancyMaxActiveBlocksPerMultiprocessor", *arguments)
        return count.value

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
        """Launches with an already packed parameter buffer, laid out as the kernel's PTX says: parameters
        begin at `offsets`, or as aligned to their size where that is not given."""
        attributes = (_LaunchAttribute * 2)()
        count = 0
        if cooperative:
            attributes[count].id = _ATTRIBUTE_COOPERATIVE
            attributes[count].value[0] = 1
            count += 1
        if cluster != (1, 1, 1):
            attributes[count].id = _ATTRIBUTE_CLUSTER
            attributes[count].value[0:3] = cluster
            count += 1
        config = _LaunchConfig(*grid, *block, shared_bytes, self._stream, attributes, count)
        buffer = ctypes.create_string_buffer(parameters, max(1, len(parameters)))
        size = c_size_t(len(parameters))
        pointers, extra = None, None
        if offsets:
            # A packed buffer is refused for a cooperative launch in a graph. It would also have to be packed
            # as the machine code has it: where a parameter is aligned to 64 bytes or more, as tensor maps
            # are, that is another layout than the PTX's (seen with CUDA 13.0).
            start = ctypes.addressof(buffer)
            pointers = (c_void_p * len(offsets))(*(start + offset for offset in offsets))
        else:
            extra = (c_void_p * 5)(
                _PARAM_POINTER, ctypes.addressof(buffer), _PARAM_SIZE, ctypes.addressof(size), _PARAM_END
            )
        self._call("cuLaunchKernelEx", byref(config), c_void_p(function), pointers, extra)

    def synchronize(self) -> None:
        self._call("cuStreamSynchronize", self._stream)

    # --- graphs and events ------------------------------------------------------------------

    @contextmanager
    def capture(self) -> Iterator[CapturedGraph]:
        """What is launched, copied and filled inside the `with` is recorded and not run."""
        captured = CapturedGraph(self)
        self._call("cuStreamBeginCapture_v2", self._stream, c_int(_CAPTURE_THREAD_LOCAL))
        graph = c_void_p()
        try:
            yield captured
        except BaseException:
            # The capture must end too, but what went wrong inside it is the news.
            self._cuda.cuStreamEndCapture(self._stream, byref(graph))
            raise
        self._call("cuStreamEndCapture", self._stream, byref(graph))
        executable = c_void_p()
        try:
            self._call("cuGraphInstantiateWithFlags", byref(executable), graph, ctypes.c_ulonglong(0))
        finally:
            self._call("cuGraphDestroy", graph)
        captured.executable = executable.value or 0

    def launch_graph(self, executable: int) -> None:
        self._call("cuGraphLaunch", c_void_p(executable), self._stream)

    def destroy_graph(self, executable: int) -> None:
        self._call("cuGraphExecDestroy", c_void_p(executable))

    def create_event(self) -> int:
        event = c_void_p()
        self._call("cuEventCreate", byref(event), c_uint(0))
        return event.value or 0

    def record(self, event: int) -> None:
        self._call("cuEventRecord", c_void_p(event), self._stream)

    def elapsed_us(self, start: int, end: int) -> float:
        """Waits for `end`. Resolution is half a microsecond."""
        self._call("cuEventSynchronize", c_void_p(end))
        milliseconds = c_float()
        self._call("cuEventElapsedTime", byref(milliseconds), c_void_p(start), c_void_p(end))
        return milliseconds.value * 1e3

    def destroy_event(self, event: int) -> None:
        self._call("cuEventDestroy_v2", c_void_p(event))

    def _call(self, name: str, *arguments: Any) -> None:
        code = getattr(self._cuda, name)(*arguments)
        if code:
            raise error(self._cuda, name, code)


class CapturedGraph:
    """An instantiated graph; `executable` is set when its `with` block ends."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self.executable = 0

    def launch(self) -> None:
        self._driver.launch_graph(self.executable)

    def close(self) -> None:
        if self.executable:
            self._driver.destroy_graph(self.executable)
            self.executable = 0


def load_library() -> ctypes.CDLL:
    """libcuda, not yet initialised. Raises MissingToolError."""
    for name in _LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise MissingToolError(
        "There is no NVIDIA driver on this machine (libcuda.so.1 cannot be loaded).",
        hint="Install the driver; without one the simulator grades, which has no times.",
    )


def error(cuda: ctypes.CDLL, call: str, code: int) -> DriverError:
    """The driver's own name and words for a status code."""
    name, text = c_char_p(), c_char_p()
    cuda.cuGetErrorName(c_int(code), byref(name))
    cuda.cuGetErrorString(c_int(code), byref(text))
    return DriverError(
        call, code, (name.value or b"CUDA error %d" % code).decode(), (text.value or b"").decode()
    )


def format_uuid(raw: bytes) -> str:
    """Sixteen bytes as nvidia-smi prints them: "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"."""
    digits, cuts = raw.hex(), (0, 8, 12, 16, 20, 32)
    return "GPU-" + "-".join(digits[a:b] for a, b in zip(cuts, cuts[1:], strict=False))


def _address_of(view: memoryview) -> tuple[c_void_p, object]:
    """The address of a buffer, read-only ones too, and what keeps it alive."""
    import numpy as np

    array = np.frombuffer(view, dtype=np.uint8)
    return c_void_p(array.ctypes.data), array
