"""Requests to shared memory that are neither loads nor stores: atomics and matrix loads."""

from __future__ import annotations

import numpy as np

from trainer.bank.quiz import Sample
from trainer.quiz.request import in_c
from trainer.sim import atomics, matrix_loads

LANES = 32
WORD = 4


def added(index: str, amount: str) -> Sample:
    """`atomicAdd(&h[index], amount)` on unsigned counters whose result nobody uses.

    `index` is C over value, which is the lane; `amount` is "1", or "w", which differs from lane to lane.
    """
    elements = [in_c(index, {"value": t}) for t in range(LANES)]
    addresses = WORD * np.array(elements)
    value = 1 if amount == "1" else None
    cost = atomics.shared_cost(addresses, 0xFFFFFFFF, "add", "u32", result_used=False, value=value).wavefronts
    kernel = _ATOMIC.format(index=index, amount=amount, size=max(LANES, max(elements) + 1))
    return Sample(kernel, "1, 32", "shared", "atomic", int(cost[0]))


def matrix_rows(pitch: int, chunk: str) -> tuple[tuple[int, ...], Sample]:
    """`ldmatrix.x1` of rows `pitch` bytes apart, each from 16-byte chunk `chunk`, C over the row r.

    Returns the byte addresses of the 32 lanes, of which the first eight count, and the kernel.
    """
    rows = [t % 8 for t in range(LANES)]
    addresses = tuple(r * pitch + 16 * in_c(chunk, {"r": r}) for r in rows)
    cost = int(matrix_loads.wavefronts(addresses, 1)[0])
    kernel = _MATRIX.format(pitch=pitch, chunk=chunk, words=2 * pitch)
    return addresses, Sample(kernel, "1, 32", "shared", "ldmatrix", cost)


_ATOMIC = """\
__global__ void sample(const float* x, unsigned* y) {{
    __shared__ unsigned h[{size}];
    int t = threadIdx.x;
    for (int i = t; i < {size}; i += 32)
        h[i] = 0;
    __syncthreads();
    unsigned value = (unsigned)x[t] - 1, w = (unsigned)x[t + 32];
    atomicAdd(&h[{index}], {amount}); // this
    __syncthreads();
    for (int i = t; i < {size}; i += 32)
        y[i] = h[i];
}}
"""

_MATRIX = """\
__global__ void sample(const unsigned* x, unsigned* y) {{
    __shared__ __align__(128) unsigned s[{words}];
    int t = threadIdx.x, r = t % 8;
    for (int i = t; i < {words}; i += 32)
        s[i] = x[i];
    __syncthreads();
    unsigned row = (unsigned)__cvta_generic_to_shared(s) + r * {pitch} + 16 * ({chunk});
    unsigned v;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%0}}, [%1];" : "=r"(v) : "r"(row)); // this
    y[t] = v;
}}
"""
