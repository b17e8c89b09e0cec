"""Kernels of our own that copy, only read, or only multiply and add."""

from __future__ import annotations

import struct
from types import TracebackType

from trainer.cuda.nvrtc import compile_text
from trainer.errors import MissingToolError
from trainer.gpu.driver import Attribute, Driver

_SOURCE = r"""
extern "C" __global__ void copy128(const float4* from, float4* to, long long count) {
    long long first = blockIdx.x * 1024LL + threadIdx.x;
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        long long i = first + k * 256;
        if (i < count) __stcs(to + i, __ldcs(from + i));
    }
}

extern "C" __global__ void read128(const float4* from, float* out, long long count) {
    long long stride = (long long)gridDim.x * blockDim.x;
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    float sum = 0;
    for (; i + 3 * stride < count; i += 4 * stride) {
        float4 a = from[i], b = from[i + stride], c = from[i + 2 * stride], d = from[i + 3 * stride];
        sum += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w + c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
    }
    for (; i < count; i += stride) sum += from[i].x;
    if (sum == 12345.678f) out[threadIdx.x] = sum;
}

extern "C" __global__ void fma32(float* out, int rounds) {
    float a[8];
    #pragma unroll
    for (int j = 0; j < 8; ++j) a[j] = threadIdx.x + j;
    for (int r = 0; r < rounds; ++r) {
        #pragma unroll
        for (int u = 0; u < 16; ++u) {
            #pragma unroll
            for (int j = 0; j < 8; ++j) a[j] = __fmaf_rn(a[j], 0.999f, 0.5f);
        }
    }
    float sum = 0;
    #pragma unroll
    for (int j = 0; j < 8; ++j) sum += a[j];
    if (sum == 12345.678f) out[threadIdx.x] = sum;
}
"""

_THREADS = 256
_FLOPS_PER_ROUND = 2 * 8 * 16
_BLOCKS_PER_MULTIPROCESSOR = 8


class Yardsticks:
    """Times one launch of a kernel, in microseconds. Close it when done."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        major = driver.attribute(Attribute.CAPABILITY_MAJOR)
        minor = driver.attribute(Attribute.CAPABILITY_MINOR)
        compiled = compile_text(_SOURCE, (f"-arch=sm_{major}{minor}",), name="yardsticks.cu")
        if not compiled.ok:
            raise MissingToolError(
                f"NVRTC cannot compile for this GPU: {compiled.log.strip()}",
                hint="Install an NVRTC that knows it, or use the simulator (backend sim).",
            )
        self._module = driver.load_module(compiled.cubin)
        self._copy = driver.function(self._module, "copy128")
        self._read = driver.function(self._module, "read128")
        self._fma = driver.function(self._module, "fma32")
        self._events = driver.create_event(), driver.create_event()
        self._blocks = driver.attribute(Attribute.MULTIPROCESSORS) * _BLOCKS_PER_MULTIPROCESSOR
        self._sink = driver.allocate(4 * _THREADS)

    def __enter__(self) -> Yardsticks:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for event in self._events:
            self._driver.destroy_event(event)
        self._driver.free(self._sink)
        self._driver.unload_module(self._module)

    def copy_us(self, source: int, target: int, nbytes: int) -> float:
        """Moves nbytes (a multiple of 16) with 16-byte accesses: reads and writes each of them once."""
        count = nbytes // 16
        parameters = struct.pack("<QQq", source, target, count)
        return self._time(self._copy, -(-count // (4 * _THREADS)), parameters)

    def driver_copy_us(self, source: int, target: int, nbytes: int) -> float:
        """The same by cuMemcpy, which is the faster of the two on some devices."""
        self._driver.record(self._events[0])
        self._driver.copy(target, source, nbytes)
        self._driver.record(self._events[1])
        return self._driver.elapsed_us(*self._events)

    def read_us(self, source: int, nbytes: int) -> float:
        """Reads nbytes (a multiple of 16) once, as a reduction does."""
        parameters = struct.pack("<QQq", source, self._sink, nbytes // 16)
        return self._time(self._read, self._blocks, parameters)

    def sweep(self, source: int, nbytes: int) -> None:
        """Queues a reading of nbytes, which fills the L2 cache with them; waits for nothing."""
        parameters = struct.pack("<QQq", source, self._sink, nbytes // 16)
        self._launch(self._read, self._blocks, parameters)

    def spin(self, rounds: int) -> None:
        """Queues work that touches no memory; waits for nothing."""
        self._launch(self._fma, self._blocks, struct.pack("<Qi", self._sink, rounds))

    def fma_us(self, rounds: int) -> float:
        """Keeps every fp32 lane of the device busy with independent multiply-adds."""
        return self._time(self._fma, self._blocks, struct.pack("<Qi", self._sink, rounds))

    def fma_flops(self, rounds: int) -> int:
        return self._blocks * _THREADS * _FLOPS_PER_ROUND * rounds

    def _time(self, function: int, blocks: int, parameters: bytes) -> float:
        self._driver.record(self._events[0])
        self._launch(function, blocks, parameters)
        self._driver.record(self._events[1])
        return self._driver.elapsed_us(*self._events)

    def _launch(self, function: int, blocks: int, parameters: bytes) -> None:
        self._driver.launch(function, (blocks, 1, 1), (_THREADS, 1, 1), 0, parameters)
