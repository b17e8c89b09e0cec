"""Warp collectives, from CUDA source to results, against Python's reading of the PTX manual."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ptx.device import Simulated
from tests.ptx.harness import INTEGERS32, run_op

WARP = 32


def shuffle_sources(mode: str, b: int, c: int) -> list[int]:
    """Source lane of every lane, as the PTX manual's pseudo code has it."""
    clamp, segment, sources = c & 31, (c >> 8) & 31, []
    for lane in range(WARP):
        most = (lane & segment) | (clamp & ~segment & 31)
        j = {
            "up": lane - b,
            "down": lane + b,
            "bfly": lane ^ b,
            "idx": (lane & segment) | (b & ~segment & 31),
        }[mode]
        sources.append(j if (j >= most if mode == "up" else j <= most) else lane)
    return sources


def control(mode: str, width: int) -> int:
    """The `c` operand that __shfl_*_sync makes from its width."""
    return ((WARP - width) << 8) | (0 if mode == "up" else 31)


SHUFFLES = r"""
extern "C" __global__ void k(const int* in, int* out, int amount) {
    int t = threadIdx.x, v = in[t];
    out[t] = __shfl_sync(~0u, v, AMOUNT, WIDTH);
    out[32 + t] = __shfl_up_sync(~0u, v, AMOUNT, WIDTH);
    out[64 + t] = __shfl_down_sync(~0u, v, AMOUNT, WIDTH);
    out[96 + t] = __shfl_xor_sync(~0u, v, AMOUNT, WIDTH);
}
"""


@pytest.mark.parametrize("width", [32, 16, 4])
@pytest.mark.parametrize("amount", [1, 3, 17])
@pytest.mark.parametrize("known", [True, False], ids=["constant", "variable"])
def test_shuffles_read_the_lane_that_the_manual_says(width: int, amount: int, known: bool) -> None:
    source = SHUFFLES.replace("AMOUNT", str(amount) if known else "amount").replace("WIDTH", str(width))
    values = np.arange(100, 100 + WARP, dtype=np.int32)
    out = np.zeros(4 * WARP, np.int32)
    Simulated(source).launch("k", 1, WARP, values, out, np.int32(amount))
    for k, mode in enumerate(("idx", "up", "down", "bfly")):
        want = values[shuffle_sources(mode, amount & 31, control(mode, width))]
        np.testing.assert_array_equal(out[k * WARP :][:WARP], want, err_msg=mode)


def test_shuffles_move_doubles_and_different_lanes_per_lane() -> None:
    source = r"""
    extern "C" __global__ void k(const double* in, const int* from, double* out) {
        out[threadIdx.x] = __shfl_sync(~0u, in[threadIdx.x], from[threadIdx.x]);
    }"""
    rng = np.random.default_rng(1)
    values, lanes = rng.standard_normal(WARP), rng.integers(0, WARP, WARP).astype(np.int32)
    out = np.zeros(WARP)
    Simulated(source).launch("k", 1, WARP, values, lanes, out)
    np.testing.assert_array_equal(out, values[lanes])


def test_votes_count_only_the_lanes_present() -> None:
    source = r"""
    extern "C" __global__ void k(const int* in, unsigned* out) {
        int t = threadIdx.x, v = in[t];
        if (t % 3 == 0) return;
        unsigned here = __activemask();
        out[t] = here;
        out[32 + t] = __ballot_sync(here, v > 5);
        out[64 + t] = __any_sync(here, v > 9) | __all_sync(here, v >= 0) << 1 | __uni_sync(here, v > 5) << 2;
        out[96 + t] = __all_sync(here, v > 5) | __any_sync(here, v > 99) << 1 | __uni_sync(here, v > 99) << 2;
    }"""
    values = (np.arange(WARP, dtype=np.int32) * 7) % 11
    out = np.zeros(4 * WARP, np.uint32)
    Simulated(source).launch("k", 1, WARP, values, out)
    lanes = [t for t in range(WARP) if t % 3]
    here = sum(1 << t for t in lanes)
    ballot = sum(1 << t for t in lanes if values[t] > 5)
    some = any(values[t] > 9 for t in lanes)
    for t in lanes:
        assert out[t] == here
        assert out[32 + t] == ballot
        assert out[64 + t] == int(some) | 2
        assert out[96 + t] == 4


def test_matches_group_equal_values_and_respect_each_lane_mask() -> None:
    source = r"""
    extern "C" __global__ void k(const int* in, unsigned* out) {
        int t = threadIdx.x, v = in[t], all;
        unsigned half = t < 16 ? 0xffffu : 0xffff0000u;
        out[t] = __match_any_sync(~0u, v);
        out[32 + t] = __match_any_sync(half, (long long)v << 33);
        out[64 + t] = __match_all_sync(half, t / 16, &all);
        out[96 + t] = all;
        out[128 + t] = __match_all_sync(~0u, v, &all) + all;
    }"""
    values = np.random.default_rng(2).integers(0, 5, WARP).astype(np.int32)
    out = np.zeros(5 * WARP, np.uint32)
    Simulated(source).launch("k", 1, WARP, values, out)
    for t in range(WARP):
        same = sum(1 << u for u in range(WARP) if values[u] == values[t])
        half = 0xFFFF if t < 16 else 0xFFFF0000
        assert out[t] == same
        assert out[32 + t] == same & half
        assert out[64 + t] == half
        assert out[96 + t] == 1
        assert out[128 + t] == 0


REDUCTIONS = {
    "__reduce_add_sync(m, v)": lambda v: v.sum() & 0xFFFFFFFF,
    "__reduce_min_sync(m, v)": lambda v: v.min() & 0xFFFFFFFF,
    "__reduce_max_sync(m, v)": lambda v: v.max() & 0xFFFFFFFF,
    "__reduce_min_sync(m, (unsigned)v)": lambda v: (v & 0xFFFFFFFF).min(),
    "__reduce_max_sync(m, (unsigned)v)": lambda v: (v & 0xFFFFFFFF).max(),
    "__reduce_and_sync(m, (unsigned)v)": lambda v: np.bitwise_and.reduce(v) & 0xFFFFFFFF,
    "__reduce_or_sync(m, (unsigned)v)": lambda v: np.bitwise_or.reduce(v) & 0xFFFFFFFF,
    "__reduce_xor_sync(m, (unsigned)v)": lambda v: np.bitwise_xor.reduce(v) & 0xFFFFFFFF,
}


@pytest.mark.parametrize("call", REDUCTIONS)
def test_reductions_cover_each_group_of_lanes(call: str) -> None:
    source = r"""
    extern "C" __global__ void k(const int* in, unsigned* out) {
        int t = threadIdx.x, v = in[t];
        unsigned m = ~0u;
        out[t] = CALL;
        m = 0xffu << (t & 24);
        out[32 + t] = CALL;
    }""".replace("CALL", call)
    values = np.random.default_rng(3).integers(-(2**31), 2**31, WARP).astype(np.int32)
    out = np.zeros(2 * WARP, np.uint32)
    Simulated(source).launch("k", 1, WARP, values, out)
    wide = values.astype(np.int64)
    assert np.all(out[:WARP] == REDUCTIONS[call](wide))
    for t in range(WARP):
        group = wide[t & 24 : (t & 24) + 8]
        assert out[32 + t] == REDUCTIONS[call](group)


def test_a_block_sums_by_shuffles_and_atomics() -> None:
    source = r"""
    extern "C" __global__ void k(const float* in, float* out, int n) {
        __shared__ float part[32];
        float v = 0;
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
        for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
        __syncthreads();
        if (threadIdx.x < 32) {
            v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0f;
            for (int d = 16; d; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
            if (threadIdx.x == 0) atomicAdd(out, v);
        }
    }"""
    values = np.random.default_rng(4).integers(-100, 100, 10007).astype(np.float32)
    out = np.zeros(1, np.float32)
    Simulated(source).launch("k", 7, 256, values, out, np.int32(len(values)))
    assert out[0] == values.sum()


def test_one_lane_is_elected() -> None:
    source = r"""
    extern "C" __global__ void k(int* out) {
        if (threadIdx.x < 5) return;
        unsigned leader, won;
        asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffe0; selp.u32 %1, 1, 0, p; }"
                     : "=r"(leader), "=r"(won));
        out[threadIdx.x] = leader * 10 + won;
    }"""
    out = np.zeros(WARP, np.int32)
    Simulated(source).launch("k", 1, WARP, out)
    np.testing.assert_array_equal(out, [0] * 5 + [51] + [50] * 26)


def test_absent_lanes_are_reported_and_exited_lanes_are_not() -> None:
    source = r"""
    extern "C" __global__ void absent(const int* in, int* out) {
        int t = threadIdx.x;
        if (t < 8) out[t] = __shfl_down_sync(0xffffffff, in[t], 4);
        __syncthreads();
        out[t] += 1;
    }
    extern "C" __global__ void named(const int* in, int* out) {
        int t = threadIdx.x;
        if (t < 8) out[t] = __shfl_down_sync(0xff, in[t], 4);
        __syncthreads();
        out[t] += 1;
    }
    extern "C" __global__ void gone(const int* in, int* out) {
        int t = threadIdx.x;
        if (t >= 8) return;
        out[t] = __shfl_down_sync(0xffffffff, in[t], 1, 8);
    }"""
    values, out = np.arange(WARP, dtype=np.int32), np.zeros(WARP, np.int32)
    device = Simulated(source)
    events = device.launch("absent", 1, WARP, values, out)
    assert [e.name for e in events] == ["ABSENT_LANE", "WARP_DEADLOCK"]
    np.testing.assert_array_equal(out[:4], [5, 6, 7, 8])
    assert device.launch("named", 1, WARP, values, out) == []
    assert device.launch("gone", 1, WARP, values, out) == []
    np.testing.assert_array_equal(out[:8], [1, 2, 3, 4, 5, 6, 7, 7])


@pytest.mark.parametrize(
    "shuffle", ["__shfl_down_sync(~0u, in[t], 16)", "__shfl_sync(~0u, in[t], t ^ in[16])"]
)
def test_a_lane_that_is_not_there_gives_zero_whatever_it_held(shuffle: str) -> None:
    """As on an H200; elsewhere it may be anything, and is told for that."""
    source = f"""
    extern "C" __global__ void elsewhere(const int* in, int* out) {{
        int t = threadIdx.x;
        if (t < 16) out[t] = {shuffle};
        else if (in[t] == 99) out[t] = 1;
    }}
    extern "C" __global__ void ended(const int* in, int* out) {{
        int t = threadIdx.x;
        if (t >= 16) return;
        out[t] = {shuffle};
    }}"""
    values = np.arange(WARP, dtype=np.int32)
    device = Simulated(source)
    for kernel in ("elsewhere", "ended"):
        out = np.full(WARP, 7, np.int32)
        assert [e.name for e in device.launch(kernel, 1, WARP, values, out)] == ["ABSENT_LANE"]
        assert not out[:16].any()


def nth_set(mask: int, base: int, offset: int) -> int:
    """fns: the position of the offset-th set bit from base on (upwards if positive)."""
    if offset == 0:
        return base if mask >> base & 1 else 0xFFFFFFFF
    position, left, step = base, abs(offset) - 1, 1 if offset > 0 else -1
    while 0 <= position < WARP:
        if mask >> position & 1:
            if left == 0:
                return position
            left -= 1
        position += step
    return 0xFFFFFFFF


def test_the_nth_lane_of_a_mask_is_found_in_both_directions() -> None:
    rng = np.random.default_rng(5)
    mask = np.concatenate([INTEGERS32, rng.integers(0, 1 << 32, 500, dtype=np.uint32)])
    base = rng.integers(0, WARP, len(mask)).astype(np.uint32)
    offset = rng.integers(-8, 9, len(mask)).astype(np.int32)
    got = run_op("fns.b32", [mask, base, offset], ["b32", "b32", "s32"], "b32")
    want = [nth_set(int(m), int(s), int(n)) for m, s, n in zip(mask, base, offset, strict=True)]
    np.testing.assert_array_equal(got, np.array(want, np.uint32))
