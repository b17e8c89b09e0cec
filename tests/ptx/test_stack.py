"""How much stack calls need."""

from __future__ import annotations

from tests.ptx.harness import compile_cuda
from trainer.ptx.compiled import compile_kernel
from trainer.ptx.stack import LOCAL_BYTES, STACK_BYTES

_SOURCE = """
__device__ __noinline__ int leaf(int x) { volatile int a[10]; a[x & 7] = x; return a[(x + 1) & 7]; }
__device__ __noinline__ int middle(int x) { volatile int a[20]; a[x & 15] = leaf(x); return a[(x + 1) & 15] + leaf(x + 1); }
__device__ __noinline__ int again(int x) { return x < 2 ? x : again(x - 1) + again(x - 2); }
extern "C" __global__ void flat(int* out) { out[0] = 1; }
extern "C" __global__ void chain(int* out) { out[0] = middle(out[1]) + leaf(out[2]); }
extern "C" __global__ void recursive(int* out) { out[0] = again(out[1]); }
"""  # noqa: E501


def test_a_kernel_without_calls_needs_its_own_frame_only() -> None:
    kernel = compile_kernel(compile_cuda(_SOURCE), "flat", 32)
    assert kernel.local_bytes == 0 and kernel.stack_bytes < 4096


def test_a_chain_of_calls_needs_the_sum_of_its_frames() -> None:
    kernel = compile_kernel(compile_cuda(_SOURCE), "chain", 32)
    assert 120 <= kernel.local_bytes < 512
    assert kernel.stack_bytes < 16384


def test_recursion_gets_a_fixed_amount() -> None:
    kernel = compile_kernel(compile_cuda(_SOURCE), "recursive", 32)
    assert kernel.local_bytes >= LOCAL_BYTES and kernel.stack_bytes >= STACK_BYTES
