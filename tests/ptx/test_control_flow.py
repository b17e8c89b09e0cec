# ruff: noqa: E501  (code in another language reads better unbroken)
"""Divergence, reconvergence, early return, barriers, calls, recursion, spinning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ptx.harness import HEAD, compile_cuda, run_kernel
from trainer.errors import DeviceFault, TimeLimitError, UnsupportedError
from trainer.ptx.engine import Engine, Event
from trainer.ptx.layout import EventKind
from trainer.ptx.parse import parse_module


class Collect:
    """Hooks that go on after every event and remember it."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def on_event(self, event: Event) -> bool:
        self.events.append(event)
        return True

    def on_launch(self, launch: Any) -> None:
        return None


def ints(count: int, value: int = 0) -> np.ndarray[Any, Any]:
    return np.full(count, value, dtype=np.int32)


def test_divergent_loops_count_for_each_thread() -> None:
    module = compile_cuda("""
    extern "C" __global__ void collatz(int* out) {
        int i = blockIdx.x * blockDim.x + threadIdx.x, n = i + 1, steps = 0;
        while (n != 1) { if (n & 1) n = 3 * n + 1; else n >>= 1; steps++; if (steps > 500) return; }
        out[i] = steps;
    }""")
    out = ints(256, -1)
    run_kernel(module, "collatz", [out], grid=4, block=64)

    def steps(n: int) -> int:
        count = 0
        while n != 1:
            n, count = 3 * n + 1 if n & 1 else n >> 1, count + 1
        return count

    assert out.tolist() == [steps(i + 1) for i in range(256)]


def test_nested_branches_and_switches_reconverge() -> None:
    module = compile_cuda("""
    extern "C" __global__ void nest(int* out) {
        int i = threadIdx.x, v = 0;
        switch (i % 7) { case 0: v = 1; break; case 1: v = 20; case 2: v += 300; break; case 5: v = i; break; default: v = -1; }
        if (i & 1) { if (i & 2) v += 1000; else { for (int k = 0; k < i; k++) v ^= k * 17; } } else if (i % 3) v *= 2;
        out[i] = v;
    }""")
    out = ints(64)
    run_kernel(module, "nest", [out], block=64)
    for i in range(64):
        v = {0: 1, 1: 320, 2: 300, 5: i}.get(i % 7, -1)
        if i & 1:
            if i & 2:
                v += 1000
            else:
                for k in range(i):
                    v ^= k * 17
        elif i % 3:
            v *= 2
        assert out[i] == v


def test_a_jump_table_sends_every_lane_to_its_label() -> None:
    text = (
        HEAD
        + """
    .visible .entry table(.param .u64 p) {
    .reg .b64 %a; .reg .u32 %t, %v; .reg .pred %p;
    ld.param.u64 %a, [p]; mov.u32 %t, %tid.x; mad.wide.u32 %a, %t, 4, %a; rem.u32 %t, %t, 3;
    targets: .branchtargets L0, L1, L2;
    brx.idx %t, targets;
    L0: mov.u32 %v, 5; bra.uni END;
    L1: mov.u32 %v, 6; bra.uni END;
    L2: mov.u32 %v, 7;
    END: st.global.u32 [%a], %v; ret; }
    """
    )
    out = ints(32)
    run_kernel(parse_module(text), "table", [out])
    assert out.tolist() == [5 + k % 3 for k in range(32)]


def test_an_early_return_before_a_barrier_is_no_hazard() -> None:
    module = compile_cuda("""
    extern "C" __global__ void guard(int* out, int n) {
        __shared__ int s[64];
        int i = threadIdx.x;
        if (i >= n) return;
        s[i] = i * 3;
        __syncthreads();
        out[i] = s[n - 1 - i];
    }""")
    out, hooks = ints(64, -1), Collect()
    run_kernel(module, "guard", [out], [50], block=64, hooks=hooks)
    assert out.tolist() == [(49 - i) * 3 for i in range(50)] + [-1] * 14
    assert not hooks.events


def test_barriers_order_warps_within_a_block() -> None:
    module = compile_cuda("""
    extern "C" __global__ void reverse(int* data) {
        __shared__ int s[256];
        int i = threadIdx.x, base = blockIdx.x * 256;
        for (int round = 0; round < 3; round++) {
            s[i] = data[base + i]; __syncthreads();
            data[base + i] = s[255 - i] + 1; __syncthreads();
        }
    }""")
    data = np.arange(1024, dtype=np.int32)
    expected = data.reshape(4, 256)[:, ::-1].ravel() + 3
    run_kernel(module, "reverse", [data], grid=4, block=256)
    assert data.tolist() == expected.tolist()


def test_counting_barriers_reduce_over_the_block() -> None:
    module = compile_cuda("""
    extern "C" __global__ void votes(int* out) {
        int i = threadIdx.x;
        int count = __syncthreads_count(i % 3 == 0), all = __syncthreads_and(i < 100), any = __syncthreads_or(i == 77);
        int second = __syncthreads_count(i % 5 == 0);
        out[i] = count + 1000 * (all != 0) + 10000 * (any != 0) + 100000 * second;
    }""")
    out = ints(100)
    run_kernel(module, "votes", [out], block=100)
    assert set(out.tolist()) == {34 + 1000 + 10000 + 100000 * 20}


def test_named_barriers_join_part_of_the_block() -> None:
    module = compile_cuda("""
    extern "C" __global__ void halves(int* out) {
        __shared__ int s[128];
        int i = threadIdx.x, half = i / 64;
        s[i] = i;
        asm volatile("bar.sync %0, 64;" :: "r"(half + 1) : "memory");
        out[i] = s[half * 64 + 63 - i % 64];
        if (half == 0) asm volatile("bar.arrive 3, 128;" ::: "memory"); else asm volatile("bar.sync 3, 128;" ::: "memory");
    }""")
    out, hooks = ints(128), Collect()
    run_kernel(module, "halves", [out], block=128, hooks=hooks)
    assert out.tolist() == [(i // 64) * 64 + 63 - i % 64 for i in range(128)]
    assert not hooks.events


def test_a_barrier_in_a_divergent_branch_is_reported_with_its_line() -> None:
    module = compile_cuda("""extern "C" __global__ void bad(int* out) {
        if (threadIdx.x < 16) {
            out[threadIdx.x] = 1;
            __syncthreads();
        }
        out[threadIdx.x] += 1;
    }""")
    hooks = Collect()
    run_kernel(module, "bad", [ints(64)], block=64, hooks=hooks)
    assert {e.kind for e in hooks.events} & {EventKind.BARRIER_DIVERGENCE, EventKind.DEADLOCK}
    assert {e.line for e in hooks.events} == {4}


def test_lanes_that_leave_by_another_way_while_others_wait_are_no_hazard() -> None:
    module = compile_cuda("""
    extern "C" __global__ void k(int* out, int n) {
        __shared__ int s[64];
        int i = threadIdx.x;
        if (i >= n) { int v = 1; for (int j = 0; j < i; j++) v = v * 3 + out[j & 7]; atomicAdd(out + 63, v); return; }
        s[i] = i; __syncthreads();
        out[i] = s[n - 1 - i];
    }""")
    hooks = Collect()
    run_kernel(module, "k", [ints(64)], [40], block=64, hooks=hooks)
    assert not hooks.events


def test_lanes_that_walk_past_a_barrier_are_reported() -> None:
    module = compile_cuda("""extern "C" __global__ void k(int* out, int n) {
        int i = threadIdx.x;
        for (int j = 0; j < i % n; j++) {
            __syncthreads();
            out[i] += j;
        }
        out[i] *= 2;
    }""")
    hooks = Collect()
    run_kernel(module, "k", [ints(64)], [3], block=64, hooks=hooks)
    assert {(e.kind, e.line) for e in hooks.events} == {(EventKind.BARRIER_DIVERGENCE, 4)}


def test_a_barrier_that_some_warps_never_reach_is_a_deadlock() -> None:
    text = (
        HEAD
        + """
    .visible .entry stuck(.param .u64 p) {
    .reg .u32 %t; .reg .pred %q;
    mov.u32 %t, %tid.x; setp.lt.u32 %q, %t, 32;
    @%q bra A;
    bar.sync 1; bra.uni END;
    A: bar.sync 2;
    END: ret; }
    """
    )
    with pytest.raises(DeviceFault, match="barrier"):
        run_kernel(parse_module(text), "stuck", [ints(1)], block=64)


def test_functions_that_are_not_inlined_are_called_under_the_mask() -> None:
    module = compile_cuda("""
    struct Big { float a[6]; };
    __device__ __noinline__ float weigh(Big b, int k) { return k % 2 ? b.a[k % 6] : -b.a[(k + 1) % 6]; }
    extern "C" __global__ void calls(float* out) {
        int i = threadIdx.x; Big b;
        for (int k = 0; k < 6; k++) b.a[k] = i * 10 + k;
        if (i % 3 != 1) out[i] = weigh(b, i); else out[i] = 0.5f;
    }""")
    out = np.zeros(64, dtype=np.float32)
    run_kernel(module, "calls", [out], block=64)
    expected = [
        0.5 if i % 3 == 1 else (i * 10 + i % 6 if i % 2 else -(i * 10 + (i + 1) % 6)) for i in range(64)
    ]
    assert out.tolist() == expected


def test_recursion_returns_to_the_right_place_in_every_lane() -> None:
    module = compile_cuda("""
    __device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    extern "C" __global__ void run(int* out) { out[threadIdx.x] = fib(threadIdx.x % 13); }""")
    out = ints(32)
    run_kernel(module, "run", [out])
    fib = [0, 1]
    while len(fib) < 13:
        fib.append(fib[-1] + fib[-2])
    assert out.tolist() == [fib[k % 13] for k in range(32)]


def test_unbounded_recursion_is_a_fault_with_a_line() -> None:
    module = compile_cuda("""
    __device__ __noinline__ int forever(int n, int* p) { int a[4] = {n, n, n, n}; p[0] = forever(n + 1, p) + a[n & 3]; return p[0]; }
    extern "C" __global__ void run(int* out) { out[0] = forever(1, out); }""")
    with pytest.raises(DeviceFault, match="call stack") as caught:
        run_kernel(module, "run", [ints(4)])
    assert caught.value.where is not None and caught.value.where.line == 2


def test_lanes_may_call_different_functions_through_pointers() -> None:
    module = compile_cuda("""
    typedef int (*Op)(int);
    __device__ __noinline__ int twice(int x) { return 2 * x; }
    __device__ __noinline__ int square(int x) { return x * x; }
    __device__ __noinline__ int minus(int x) { return -x; }
    __device__ Op table[3] = {twice, square, minus};
    extern "C" __global__ void run(int* out) { int i = threadIdx.x; out[i] = table[i % 3](i); }""")
    out = ints(64)
    run_kernel(module, "run", [out], block=64)
    assert out.tolist() == [(2 * i, i * i, -i)[i % 3] for i in range(64)]


def test_a_barrier_inside_a_called_function_waits_for_the_block() -> None:
    module = compile_cuda("""
    __device__ __noinline__ int swap(int* s, int i, int v) { s[i] = v; __syncthreads(); int r = s[127 - i]; __syncthreads(); return r; }
    extern "C" __global__ void run(int* out) {
        __shared__ int s[128]; int i = threadIdx.x;
        out[i] = swap(s, i, i * 2) + swap(s, i, 1000 + i);
    }""")
    out = ints(128)
    run_kernel(module, "run", [out], block=128)
    assert out.tolist() == [(127 - i) * 2 + 1000 + 127 - i for i in range(128)]


def test_blocks_that_wait_for_each_other_all_get_their_turn() -> None:
    module = compile_cuda("""
    extern "C" __global__ void chain(volatile int* flags, int* out) {
        int b = blockIdx.x;
        if (threadIdx.x == 0) {
            while (b + 1 < gridDim.x && flags[b + 1] == 0) { }
            out[b] = b + 1 < gridDim.x ? out[b + 1] + 1 : 1;
            __threadfence();
            flags[b] = 1;
        }
    }""")
    flags, out = ints(40), ints(40)
    run_kernel(module, "chain", [flags, out], grid=40, block=64)
    assert out.tolist() == list(range(40, 0, -1))


def test_lanes_of_one_warp_can_wait_for_a_lock() -> None:
    module = compile_cuda("""
    extern "C" __global__ void lock(int* mutex, int* total) {
        while (atomicCAS(mutex, 0, 1) != 0) { }
        *(volatile int*)total = *(volatile int*)total + 1;
        __threadfence();
        atomicExch(mutex, 0);
    }""")
    mutex, total = ints(1), ints(1)
    run_kernel(module, "lock", [mutex, total], grid=2, block=64)
    assert total[0] == 128


def test_an_endless_loop_ends_with_the_line_it_was_in() -> None:
    module = compile_cuda("""extern "C" __global__ void spin(volatile int* flag) {
        while (flag[0] == 0) {
            flag[1] = 3;
        }
    }""")
    with pytest.raises(TimeLimitError) as caught:
        run_kernel(module, "spin", [ints(2)], budget=300_000)
    assert caught.value.where is not None and caught.value.where.line in (2, 3)


def test_a_launch_can_be_interrupted_between_slices() -> None:
    module = compile_cuda('extern "C" __global__ void spin(volatile int* f) { while (f[0] == 0) { } }')

    def stop(executed: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_kernel(module, "spin", [ints(1)], on_slice=stop)


def test_a_trap_stops_the_launch_at_its_line() -> None:
    module = compile_cuda("""extern "C" __global__ void trap(int* out) {
        if (threadIdx.x == 5)
            __trap();
        out[0] = 1;
    }""")
    with pytest.raises(DeviceFault, match=r"thread \(5, 0, 0\)") as caught:
        run_kernel(module, "trap", [ints(1)])
    assert caught.value.where is not None and caught.value.where.line == 3


def test_an_unknown_instruction_is_refused_only_when_its_kernel_is_launched() -> None:
    text = (
        HEAD
        + """
    .visible .entry fine(.param .u64 p) { .reg .b64 %a; .reg .u32 %v; ld.param.u64 %a, [p]; mov.u32 %v, 3; st.global.u32 [%a], %v; ret; }
    .visible .entry odd(.param .u64 p) { .reg .b64 %a; .reg .u32 %v; ld.param.u64 %a, [p]; frobnicate.u32 %v, 3; ret; }
    """
    )
    module, out = parse_module(text), ints(1)
    run_kernel(module, "fine", [out], block=1)
    assert out[0] == 3
    with pytest.raises(UnsupportedError, match="frobnicate.u32"):
        run_kernel(module, "odd", [out])


def test_clusters_are_refused_rather_than_run_as_single_blocks() -> None:
    module = compile_cuda('extern "C" __global__ void __cluster_dims__(2, 1, 1) pair(int* out) { out[0] = 1; }')
    with pytest.raises(UnsupportedError, match="clusters"):
        run_kernel(module, "pair", [ints(1)], grid=2)


def test_counters_tell_executions_lanes_and_splits() -> None:
    module = compile_cuda("""
    extern "C" __global__ void half(int* out) { int i = threadIdx.x; if (i & 1) out[i] = out[i] * 3 + 1; else out[i] = 7; }""")
    result = run_kernel(module, "half", [ints(64)], block=64)
    assert result.counters[0][0] == 2 and result.counters[0][1] == 64
    assert result.counters[:, 2].sum() == 2


def test_python_traps_see_each_lane_and_answer_it() -> None:
    module = compile_cuda(
        """
    extern "C" __device__ int ask(int a, double b);
    extern "C" __global__ void run(int* out) { int i = threadIdx.x; if (i % 2) out[i] = ask(i, i * 0.5); }""",
        "-rdc=true",
    )
    seen = []

    def ask(call: Any) -> None:
        for lane in call.lanes:
            a, b = call.argument(lane, 0), np.frombuffer(call.argument_bytes(lane, 1))[0]
            seen.append((a, b, call.thread(lane)[1][0]))
            call.set_result(lane, a + int(b))

    out = ints(32)
    run_kernel(module, "run", [out], traps={"ask": ask})
    assert out.tolist() == [i + i // 2 if i % 2 else 0 for i in range(32)]
    assert seen == [(i, i * 0.5, i) for i in range(1, 32, 2)]


def test_kernels_are_translated_once_and_reused() -> None:
    module = compile_cuda('extern "C" __global__ void one(int* out) { out[0] += 1; }')
    engine, out = Engine(module), ints(1)
    first = engine.kernel("one")
    for _ in range(2):
        run_kernel(module, "one", [out], block=1, engine=engine)
    assert out[0] == 2 and engine.kernel("one") is first
