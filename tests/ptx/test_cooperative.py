"""Cooperative groups: tiles, coalesced groups, whole grids, from CUDA source to results."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tests.ptx.device import Simulated

HEAD = r"""
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
"""

REDUCTION = r"""
    extern "C" __global__ void reduction(const float* in, float* out, int n) {
        auto block = cg::this_thread_block();
        auto warp = cg::tiled_partition<32>(block);
        __shared__ float part[32];
        float v = 0;
        int first = blockIdx.x * blockDim.x + block.thread_rank();
        for (int i = first; i < n; i += gridDim.x * blockDim.x) v += in[i];
        v = cg::reduce(warp, v, cg::plus<float>());
        if (warp.thread_rank() == 0) part[warp.meta_group_rank()] = v;
        block.sync();
        if (warp.meta_group_rank() == 0) {
            v = warp.thread_rank() < warp.meta_group_size() ? part[warp.thread_rank()] : 0.0f;
            v = cg::reduce(warp, v, cg::plus<float>());
            if (warp.thread_rank() == 0) atomicAdd(out, v);
        }
    }"""

SMALL_TILES = r"""
    extern "C" __global__ void tiles(const int* in, int* out) {
        auto block = cg::this_thread_block();
        auto tile = cg::tiled_partition<16>(block);
        int t = block.thread_rank(), n = blockDim.x, v = in[t];
        out[t] = cg::reduce(tile, v, cg::plus<int>());
        out[n + t] = cg::reduce(tile, v, cg::less<int>());
        out[2 * n + t] = cg::inclusive_scan(tile, v);
        auto four = cg::tiled_partition<4>(tile);
        out[3 * n + t] = four.shfl_xor(v, 1);
        out[4 * n + t] = four.ballot(v > 0);
        out[5 * n + t] = four.any(v > 40) + 2 * four.all(v > -40);
        out[6 * n + t] = four.shfl_down(v, 1);
    }"""

COALESCED = r"""
    extern "C" __global__ void coalesced(const int* in, int* out) {
        int t = threadIdx.x, n = blockDim.x;
        if (in[t] <= 0) return;
        auto group = cg::coalesced_threads();
        out[t] = group.thread_rank() + 100 * group.size();
        out[n + t] = cg::reduce(group, in[t], cg::plus<int>());
        out[2 * n + t] = group.shfl(in[t], 0);
        out[3 * n + t] = group.ballot(in[t] > 25);
        auto label = cg::labeled_partition(group, in[t] % 3);
        out[4 * n + t] = label.thread_rank() + 100 * label.size();
        auto half = cg::binary_partition(group, in[t] % 2);
        out[5 * n + t] = half.size();
        if (group.thread_rank() == 0) atomicAdd(out + 6 * n, group.size());
    }"""

GRID = r"""
    extern "C" __global__ void grid(int* a, int* out, int n) {
        auto grid = cg::this_grid();
        for (int i = grid.thread_rank(); i < n; i += grid.size()) a[i] += 1;
        grid.sync();
        for (int i = grid.thread_rank(); i < n; i += grid.size()) out[i] = a[n - 1 - i];
        grid.sync();
        if (grid.thread_rank() == 0) out[0] += out[n - 1];
    }"""

COPY = r"""
    extern "C" __global__ void copy(const int* in, int* out) {
        __shared__ int s[256];
        auto block = cg::this_thread_block();
        cg::memcpy_async(block, s, in + blockIdx.x * 256, sizeof(int) * 256);
        cg::wait(block);
        out[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
    }"""


@cache
def program() -> Simulated:
    """All kernels in one compile: the headers take NVRTC seconds."""
    return Simulated(HEAD + REDUCTION + SMALL_TILES + COALESCED + GRID + COPY)


def test_a_block_reduces_through_tiles() -> None:
    values = np.random.default_rng(1).integers(-50, 50, 5003).astype(np.float32)
    out = np.zeros(1, np.float32)
    program().launch("reduction", 3, 128, values, out, np.int32(len(values)))
    assert out[0] == values.sum()


def test_small_tiles_reduce_scan_shuffle_and_vote_for_themselves() -> None:
    values = np.random.default_rng(2).integers(-50, 50, 64).astype(np.int32)
    out = np.zeros(7 * 64, np.int32)
    program().launch("tiles", 1, 64, values, out)
    tiles, fours = values.reshape(-1, 16), values.reshape(-1, 4)
    down = fours.copy()
    down[:, :3] = fours[:, 1:]
    want = [
        np.repeat(tiles.sum(axis=1), 16), np.repeat(tiles.min(axis=1), 16), np.cumsum(tiles, axis=1).ravel(),
        values.reshape(-1, 2)[:, ::-1].ravel(), np.repeat((fours > 0) @ [1, 2, 4, 8], 4),
        np.repeat((fours > 40).any(axis=1) + 2 * (fours > -40).all(axis=1), 4), down.ravel(),
    ]  # fmt: skip
    np.testing.assert_array_equal(out, np.concatenate(want))


def test_coalesced_labelled_and_binary_groups() -> None:
    values = np.random.default_rng(3).integers(-20, 50, 32).astype(np.int32)
    out = np.zeros(6 * 32 + 1, np.int32)
    program().launch("coalesced", 1, 32, values, out)
    lanes = np.flatnonzero(values > 0)
    held = values[lanes]
    rows = out[:-1].reshape(6, 32)[:, lanes]
    np.testing.assert_array_equal(rows[0], np.arange(len(lanes)) + 100 * len(lanes))
    np.testing.assert_array_equal(rows[1], held.sum())
    np.testing.assert_array_equal(rows[2], held[0])
    np.testing.assert_array_equal(rows[3], sum(1 << k for k, v in enumerate(held) if v > 25))
    for k, v in enumerate(held):
        same = held % 3 == v % 3
        assert rows[4][k] == same[:k].sum() + 100 * same.sum()
        assert rows[5][k] == (held % 2 == v % 2).sum()
    assert out[-1] == len(lanes)


def test_a_grid_synchronises() -> None:
    values, out = np.arange(1000, dtype=np.int32), np.zeros(1000, np.int32)
    program().launch("grid", 8, 64, values, out, np.int32(1000), cooperative=True)
    want = np.arange(1, 1001)[::-1].copy()
    want[0] += want[-1]
    np.testing.assert_array_equal(out, want)


def test_groups_copy_asynchronously() -> None:
    values, out = np.arange(512, dtype=np.int32), np.zeros(512, np.int32)
    program().launch("copy", 2, 256, values, out)
    np.testing.assert_array_equal(out, values.reshape(2, 256)[:, ::-1].ravel())


@pytest.mark.parametrize("room", ["", "__shared__ cg::block_tile_memory<128> room;"], ids=["reserved", "own"])
def test_tiles_larger_than_a_warp(room: str) -> None:
    source = (
        HEAD
        + r"""
    extern "C" __global__ void k(const int* in, int* out) {
        ROOM
        auto block = cg::this_thread_block(GIVEN);
        auto tile = cg::tiled_partition<64>(block);
        tile.sync();
        out[threadIdx.x] = cg::reduce(tile, in[threadIdx.x], cg::plus<int>()) + tile.meta_group_rank();
    }""".replace("ROOM", room).replace("GIVEN", "room" if room else "")
    )
    values, out = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    Simulated(source).launch("k", 1, 128, values, out)
    np.testing.assert_array_equal(out, np.repeat(values.reshape(2, 64).sum(axis=1) + [0, 1], 64))
