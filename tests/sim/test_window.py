"""The quick way and the general way of watching shared memory find the same."""

from __future__ import annotations

import pytest

from tests.sim.test_hazards import INDEX, fatal, only_hazard, try_kernel
from trainer.sim.report import HazardKind

# How far apart the lanes of a warp store: 1 stays within the window of 64 words, 3 does not.
STRIDES = [1, 3]


@pytest.mark.parametrize("stride", STRIDES)
def test_both_ways_find_a_read_before_the_barrier(stride: int) -> None:
    hazard = only_hazard(
        try_kernel(f"__shared__ float s[{256 * stride}];\n" + INDEX + "int t = threadIdx.x;\n"
                   f"s[t * {stride}] = t;\nif (t >= 32 && i < n) out[i] = s[(t - 32) * {stride}];\n"
                   "else if (i < n) out[i] = 0;")
    )  # fmt: skip
    assert hazard.kind is HazardKind.SHARED_RACE
    assert (hazard.thread, hazard.other_thread) == ((32, 0, 0), (0, 0, 0))


@pytest.mark.parametrize("stride", STRIDES)
def test_both_ways_find_a_write_over_what_many_warps_read(stride: int) -> None:
    outcome = try_kernel(
        f"__shared__ float s[{256 * stride}];\n" + INDEX + f"int t = threadIdx.x;\ns[t * {stride}] = t;\n"
        f"__syncthreads();\nfloat v = s[(t % 32) * {stride}];\n"
        f"if (t >= 224) s[(t - 224) * {stride}] = v + 1;\n"
        "__syncthreads();\nif (i < n) out[i] = v;"
    )
    (hazard,) = fatal(outcome)
    assert hazard.kind is HazardKind.SHARED_RACE
    assert "read at line 8" in hazard.message and "and others" in hazard.message


@pytest.mark.parametrize("stride", STRIDES)
def test_both_ways_find_garbage(stride: int) -> None:
    hazard = only_hazard(
        try_kernel(f"__shared__ float s[{256 * stride + 32}];\n" + INDEX + "int t = threadIdx.x;\n"
                   f"s[t * {stride}] = t;\n__syncthreads();\nif (i < n) out[i] = s[(t + 1) * {stride}];")
    )  # fmt: skip
    assert hazard.kind is HazardKind.UNINITIALISED_READ
    assert hazard.thread == (255, 0, 0)


@pytest.mark.parametrize("stride", STRIDES)
def test_neither_way_minds_the_next_phase(stride: int) -> None:
    outcome = try_kernel(
        f"__shared__ float s[{256 * stride}];\n" + INDEX + "int t = threadIdx.x;\n"
        f"for (int k = 0; k < 4; ++k) {{ s[(t ^ k) * {stride}] = t; __syncthreads();\n"
        f"if (i < n) out[i] = s[(t ^ 37) * {stride}]; __syncthreads(); }}"
    )
    assert outcome.verdict is None, outcome.message
