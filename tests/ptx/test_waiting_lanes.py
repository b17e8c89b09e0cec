"""One lane waits for others while its warp is ahead at a collective: nobody may run past it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ptx.device import Simulated
from trainer.ptx.engine import LaunchState

WAITS = r"""
extern "C" __global__ void k(volatile int* flag, int* out, int* data) {
    int t = threadIdx.x, lane = t % 32;
    if (t < 32) {
        int got = 0;
        if (lane == 0) {
            while (*flag == 0) { }
            got = *(volatile int*)data;
        }
        MEET
        out[t] = got;
    } else {
        for (int i = 0; i < 20000; i++)
            if (i == 19999 && lane == 0) { *(volatile int*)data = 42; __threadfence(); }
        if (lane == 0) *flag = 1;
    }
}
"""
MEETINGS = {
    "shuffle": "got = __shfl_sync(0xffffffffu, got, 0);",
    "vote": "got = __any_sync(0xffffffffu, got == 42) ? 42 : 0;",
    "reduction": "got = __reduce_add_sync(0xffffffffu, got);",
    "match": "got = __match_any_sync(0xffffffffu, lane / 32) == 0xffffffffu ? 42 : 0;",
    "barrier and memory": "if (lane == 0) data[1] = got; __syncwarp(); got = ((volatile int*)data)[1];",
}


@pytest.mark.parametrize("name", MEETINGS)
def test_lanes_wait_at_a_collective_for_a_lane_that_spins(name: str) -> None:
    flag, out, data = np.zeros(1, np.int32), np.zeros(64, np.int32), np.zeros(2, np.int32)
    events = Simulated(WAITS.replace("MEET", MEETINGS[name])).launch("k", 1, 64, flag, out, data)
    np.testing.assert_array_equal(out[:32], 42)
    assert events == []


def test_a_lock_that_one_lane_takes_for_its_warp() -> None:
    source = r"""
    extern "C" __global__ void k(int* lock, int* total, int* out) {
        int lane = threadIdx.x % 32;
        for (int i = 0; i < 5; i++) {
            if (lane == 0) while (atomicCAS(lock, 0, 1) != 0) { }
            __syncwarp();
            int old = ((volatile int*)total)[lane];
            for (int d = 0; d < 300; d++) if (((volatile int*)total)[lane] != old) out[0] = 1;
            ((volatile int*)total)[lane] = old + 1;
            __threadfence();
            __syncwarp();
            if (lane == 0) atomicExch(lock, 0);
        }
    }"""
    lock, total, out = np.zeros(1, np.int32), np.zeros(32, np.int32), np.zeros(1, np.int32)
    Simulated(source).launch("k", 3, 128, lock, total, out)
    np.testing.assert_array_equal(total, 3 * 4 * 5)
    assert out[0] == 0


def test_lanes_that_wait_for_each_other_in_two_branches_all_get_their_turn() -> None:
    source = r"""
    extern "C" __global__ void k(volatile int* flag, int* out) {
        int lane = threadIdx.x;
        if (lane == 0) { while (flag[0] == 0) { } flag[1] = 1; }
        else if (lane == 1) { flag[0] = 1; while (flag[1] == 0) { } out[0] = 7; }
        __syncwarp();
        out[1 + lane] = lane;
    }"""
    flag, out = np.zeros(2, np.int32), np.zeros(33, np.int32)
    assert Simulated(source).launch("k", 1, 32, flag, out) == []
    np.testing.assert_array_equal(out, [7, *range(32)])


def test_a_barrier_of_a_whole_grid_costs_a_few_looks_at_memory() -> None:
    source = r"""
    __device__ volatile int count;
    extern "C" __global__ void k(int* out) {
        for (int round = 1; round <= 10; round++) {
            __syncthreads();
            if (threadIdx.x == 0) {
                __threadfence();
                atomicAdd((int*)&count, 1);
                while (count < round * gridDim.x) { }
            }
            __syncthreads();
        }
        out[blockIdx.x * blockDim.x + threadIdx.x] = count;
    }"""
    out = np.zeros(64 * 64, np.int32)
    device = Simulated(source)
    device.launch("k", 64, 64, out)
    assert np.all(out >= 640)
    assert device.result is not None
    assert device.result.thread_instructions < 1_000_000


@pytest.mark.parametrize("slice_length", [5, 40, 300])
def test_lanes_that_take_turns_in_a_loop_stay_in_the_same_round_of_its_collectives(
    slice_length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = r"""
    extern "C" __global__ void k(int* out, int* counter) {
        int t = threadIdx.x, x = t, y = 0;
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < (x ^ round) % 11; i++) {
                atomicAdd(counter, 1);
                if ((x + i) % 3 == 0) for (int j = 0; j < t % 5; j++) y += atomicAdd(counter + 1, 0) + j;
            }
            int before = __shfl_up_sync(0xffffffffu, x, 3);
            x += before;
            __syncwarp();
            y ^= __ballot_sync(0xffffffffu, x & 1);
        }
        out[t] = x;
        out[64 + t] = y;
    }"""

    def cut(_: object, launch: LaunchState) -> None:
        launch.env.slice_length = slice_length

    device = Simulated(source)
    want, out = np.zeros(128, np.int32), np.zeros(128, np.int32)
    device.launch("k", 1, 64, want, np.zeros(2, np.int32))
    monkeypatch.setattr("tests.ptx.device._Recorder.on_launch", cut)
    assert device.launch("k", 1, 64, out, np.zeros(2, np.int32)) == []
    np.testing.assert_array_equal(out, want)


def test_a_mask_that_names_lanes_which_never_come_is_told_and_holds_nobody_up() -> None:
    source = r"""
    extern "C" __global__ void k(int* out, int* counter) {
        int t = threadIdx.x, x = t;
        for (int i = 0; i < t % 4; i++) atomicAdd(counter, 1);  // makes lanes take turns
        if (t < 8) {
            x = __shfl_down_sync(0xffffffffu, x, 4);
            __syncwarp();
        } else if (t > 20) {
            __syncwarp();
            x = __any_sync(0xffffffffu, x == 31) ? 31 : 0;
        }
        __syncthreads();
        out[t] = x;
    }"""
    out, counter = np.zeros(32, np.int32), np.zeros(1, np.int32)
    events = Simulated(source).launch("k", 1, 32, out, counter)
    assert {e.name for e in events} == {"ABSENT_LANE", "WARP_DEADLOCK"}
    np.testing.assert_array_equal(out, [4, 5, 6, 7, *out[4:8], *range(8, 21), *[31] * 11])


def test_a_warp_that_waited_together_stays_together_afterwards() -> None:
    source = r"""
    extern "C" __global__ void k(volatile int* flag, int* out, int* data) {
        int t = threadIdx.x, lane = t % 32;
        if (t < 32) {
            while (*flag == 0) { }
            for (int i = 0; i < 20; i++) {
                if (lane == i) data[i] = i;
                out[t] += __activemask() == 0xffffffffu;
            }
        } else {
            int spent = 0;
            for (int i = 0; i < 20000; i++) spent += ((volatile int*)data)[31] == i;
            if (lane == 0 && spent < 2) *flag = 1;
        }
    }"""
    flag, out, data = np.zeros(1, np.int32), np.zeros(64, np.int32), np.zeros(32, np.int32)
    Simulated(source).launch("k", 1, 64, flag, out, data)
    np.testing.assert_array_equal(out[:32], 20)
