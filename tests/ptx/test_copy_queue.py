"""Copies in flight: nothing arrives before it is waited for, and each lane waits for its own."""

from __future__ import annotations

import numpy as np

from tests.ptx.device import Simulated

HEAD = r"""
__device__ __forceinline__ void fetch(float* to, const float* from) {
    unsigned place = __cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(place), "l"(from) : "memory");
}
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")
#define WAIT_ALL asm volatile("cp.async.wait_all;" ::: "memory")
"""
VALUES = np.arange(1, 513, dtype=np.float32)


def run(body: str, elements: int, *, blocks: int = 1, before: str = "") -> np.ndarray:
    code = (
        HEAD
        + before
        + r"""
    extern "C" __global__ void k(const float* in, float* out) {
        __shared__ float s[512];
        int t = threadIdx.x;
        BODY
    }""".replace("BODY", body)
    )
    out = np.zeros(elements, np.float32)
    Simulated(code).launch("k", blocks, 32, VALUES, out)
    return out


def test_a_read_before_the_wait_sees_no_number() -> None:
    out = run("fetch(s + t, in + t); COMMIT; out[t] = s[t]; WAIT(0); out[32 + t] = s[t];", 64)
    assert np.all(np.isnan(out[:32]))
    np.testing.assert_array_equal(out[32:], VALUES[:32])


def test_waiting_leaves_the_youngest_groups_under_way() -> None:
    body = r"""
        for (int g = 0; g < 3; g++) { fetch(s + 32 * g + t, in + 32 * g + t); COMMIT; }
        WAIT(2);
        for (int g = 0; g < 3; g++) out[32 * g + t] = s[32 * g + t];
        WAIT(1);
        out[96 + t] = s[32 + t];
        out[128 + t] = s[64 + t];"""
    out = run(body, 160).reshape(5, 32)
    np.testing.assert_array_equal(out[0], VALUES[:32])
    assert np.all(np.isnan(out[[1, 2, 4]]))
    np.testing.assert_array_equal(out[3], VALUES[32:64])


def test_a_group_wait_does_not_cover_what_was_never_committed() -> None:
    out = run("fetch(s + t, in + t); WAIT(0); out[t] = s[t]; WAIT_ALL; out[32 + t] = s[t];", 64)
    assert np.all(np.isnan(out[:32]))
    np.testing.assert_array_equal(out[32:], VALUES[:32])


def test_lanes_count_their_own_groups() -> None:
    body = r"""
        fetch(s + t, in + t); COMMIT;
        if (t % 2) { fetch(s + 32 + t, in + 32 + t); COMMIT; }
        WAIT(1);
        out[t] = s[t];"""
    out = run(body, 32)
    np.testing.assert_array_equal(out[1::2], VALUES[1:32:2])
    assert np.all(np.isnan(out[::2]))


def test_more_copies_than_the_queue_holds_still_arrive() -> None:
    body = r"""
        for (int g = 0; g < 200; g++) { fetch(s + (32 * g + t) % 512, in + (32 * g + t) % 512); COMMIT; }
        WAIT(0);
        for (int g = 0; g < 16; g++) out[32 * g + t] = s[32 * g + t];"""
    np.testing.assert_array_equal(run(body, 512), VALUES)


def test_copies_nobody_waited_for_do_not_reach_the_next_block() -> None:
    body = r"""
        s[t] = -1.0f;
        __syncthreads();
        WAIT_ALL;
        out[32 * blockIdx.x + t] = s[t];
        __syncthreads();
        fetch(s + t, in + t);
        COMMIT;"""
    assert np.all(run(body, 32 * 40, blocks=40) == -1)


def test_a_device_function_that_is_called_copies_at_once() -> None:
    before = r"""
    __device__ __noinline__ void bring(float* to, const float* from) { fetch(to, from); COMMIT; }"""
    out = run("bring(s + t, in + t); WAIT(0); out[t] = s[t];", 32, before=before)
    np.testing.assert_array_equal(out, VALUES[:32])
