"""Which barriers stand under a condition."""

from __future__ import annotations

import pytest

from trainer.sim.conditional import is_unconditional

SOURCE = """__device__ void helper() { __syncthreads(); }
__global__ void k(int* out, int n) {
    if (n < 0) { out[0] = 1; return; }
    __syncthreads();
    for (int i = 0; i < n; i++)
        __syncthreads();
    for (int i = 0; i < n; i++) { int j = i;
        __syncthreads();
    }
    if (n > 3) __syncthreads(); else { n = 2; }
    { int inner = n;
        __syncthreads(); // plain scope
    }
    while (n--) {
        out[n] = n; }  __syncthreads();
    do {
        __syncthreads();
    } while (n);
}
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [(1, False), (4, True), (6, False), (8, False), (10, False), (12, True), (15, True), (17, False)],
)
def test_a_barrier_in_the_scope_of_the_kernel_is_unconditional(line: int, expected: bool) -> None:
    assert is_unconditional(SOURCE, line) is expected
