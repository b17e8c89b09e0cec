# ruff: noqa: E501  (code in another language reads better unbroken)
"""Loads, stores, atomics, address spaces, bounds and alignment."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from tests.ptx.harness import HEAD, compile_cuda, floats32, integers32, run_kernel, run_lines
from tests.ptx.test_control_flow import Collect, ints
from tests.ptx.test_floating import flushed
from trainer.errors import DeviceFault
from trainer.ptx.engine import Engine
from trainer.ptx.layout import EventKind
from trainer.ptx.memory import RED_ZONE, Memory
from trainer.ptx.parse import parse_module


@pytest.mark.parametrize("kind", ["u8", "s8", "u16", "s16", "b32", "b64", "f32", "f64"])
@pytest.mark.parametrize("order", ["straight", "reversed", "same", "shuffled"])
def test_every_width_is_loaded_and_stored_from_any_pattern(kind: str, order: str) -> None:
    size = int(kind[1:]) // 8
    register = kind if size > 1 else f"{kind[0]}16"
    text = (
        HEAD
        + f"""
    .visible .entry move(.param .u64 a, .param .u64 b, .param .u64 c) {{
    .reg .b64 %a, %b, %c; .reg .u32 %t, %k; .reg .{register} %v;
    ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u64 %c, [c];
    mov.u32 %t, %tid.x; mad.wide.u32 %b, %t, 4, %b; ld.global.u32 %k, [%b];
    mad.wide.u32 %a, %k, {size}, %a; ld.global.{kind} %v, [%a];
    mad.wide.u32 %c, %k, {size}, %c; st.global.{kind} [%c], %v; ret; }}
    """
    )
    data = np.random.default_rng(0).integers(0, 256, 64 * size).astype(np.uint8)
    index = {
        "straight": np.arange(64),
        "reversed": np.arange(64)[::-1],
        "same": np.full(64, 5),
        "shuffled": np.random.default_rng(1).permutation(64),
    }[order].astype(np.uint32)
    out = np.zeros_like(data)
    run_kernel(parse_module(text), "move", [data, index, out], block=64)
    touched = np.zeros(64, bool)
    touched[index] = True
    mask = np.repeat(touched, size)
    assert (out[mask] == data[mask]).all() and not out[~mask].any()


def test_small_signed_loads_extend_their_sign() -> None:
    module = compile_cuda("""
    extern "C" __global__ void widen(const signed char* a, const short* b, long long* out) {
        int i = threadIdx.x; out[i] = (long long)a[i] * 100000 + b[i]; }""")
    a = np.arange(-16, 16, dtype=np.int8)
    b = (np.arange(32) * -1000).astype(np.int16)
    out = np.zeros(32, dtype=np.int64)
    run_kernel(module, "widen", [a, b, out])
    assert out.tolist() == [int(x) * 100000 + int(y) for x, y in zip(a, b, strict=True)]


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("kind", ["u8", "u16", "f32", "u32", "f64"])
def test_vectors_keep_their_elements_in_order(kind: str, count: int) -> None:
    size = int(kind[1:]) // 8
    names = ", ".join(f"%v{k}" for k in range(count))
    turned = ", ".join(f"%v{count - 1 - k}" for k in range(count))
    text = (
        HEAD
        + f"""
    .visible .entry turn(.param .u64 a, .param .u64 b, .param .u32 stride) {{
    .reg .b64 %a, %b; .reg .u32 %t, %s; .reg .{kind if size > 1 else "u16"} %v<{count}>;
    ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u32 %s, [stride];
    mov.u32 %t, %tid.x; mul.lo.u32 %t, %t, %s; rem.u32 %t, %t, 32;
    mad.wide.u32 %a, %t, {size * count}, %a; ld.global.v{count}.{kind} {{{names}}}, [%a];
    mad.wide.u32 %b, %t, {size * count}, %b; st.global.v{count}.{kind} [%b], {{{turned}}}; ret; }}
    """
    )
    data = np.random.default_rng(0).integers(0, 256, (32, count, size)).astype(np.uint8)
    for stride in (1, 5, 0):
        out = np.zeros_like(data)
        run_kernel(parse_module(text), "turn", [data, out], [stride])
        rows = np.unique(np.arange(32) * stride % 32)
        assert (out[rows] == data[rows][:, ::-1]).all()


def test_generic_addresses_reach_shared_local_and_global_memory_in_one_warp() -> None:
    module = compile_cuda("""
    extern "C" __global__ void mix(int* out, int n) {
        __shared__ int s[32]; int local[4]; int i = threadIdx.x;
        for (int k = 0; k < 4; k++) local[(k + n) & 3] = 100 * i + k;
        s[i] = i * 7; __syncthreads();
        int* p = i % 3 == 0 ? &s[31 - i] : i % 3 == 1 ? &local[(i + n) & 3] : &out[32 + i];
        int v = *p; *p = v + 1;
        out[i] = v + *p;
    }""")
    out = np.arange(64, dtype=np.int32)
    run_kernel(module, "mix", [out], [2])
    for i in range(32):
        v = ((31 - i) * 7, 100 * i + i % 4, 32 + i)[i % 3]
        assert out[i] == 2 * v + 1


def test_constants_initialised_globals_and_pointers_to_them() -> None:
    module = compile_cuda("""
    __constant__ float weights[4] = {0.5f, 1.5f, -2.0f, 8.0f};
    __device__ int counter = 5; __device__ int* pointer = &counter; __device__ double zero[3];
    extern "C" __global__ void use(float* out) {
        int i = threadIdx.x;
        out[i] = weights[i & 3] + *pointer + zero[i % 3];
        if (i == 0) atomicAdd(&counter, 1);
    }""")
    out, memory, engine = np.zeros(32, np.float32), Memory(1 << 28), Engine(module)
    for expected in (5, 6):
        run_kernel(module, "use", [out], memory=memory, engine=engine)
        assert out.tolist() == [(0.5, 1.5, -2.0, 8.0)[i & 3] + expected for i in range(32)]


def test_structs_are_passed_by_value_even_when_their_address_is_taken() -> None:
    module = compile_cuda("""
    struct P { int a[6]; float f; };
    extern "C" __global__ void take(int* out, P p, int n) { out[threadIdx.x] = p.a[(threadIdx.x + n) % 6] + (int)p.f; }
    extern "C" __global__ void constant(int* out, const __grid_constant__ P p, int n) {
        const int* q = &p.a[0]; out[threadIdx.x] = q[(threadIdx.x + n) % 6] + (int)p.f; }
    """)
    for name in ("take", "constant"):
        memory = Memory(1 << 28)
        place = memory.allocate(128)
        buffer = struct.pack("<Q6ifi", place, 3, 1, 4, 1, 5, 9, 2.0, 2)
        Engine(module).launch(name, (1, 1, 1), (32, 1, 1), 0, buffer, memory)
        got = np.frombuffer(memory.read(place, 128), np.int32)
        assert got.tolist() == [(3, 1, 4, 1, 5, 9)[(i + 2) % 6] + 2 for i in range(32)]


def test_dynamic_shared_memory_follows_the_static() -> None:
    module = compile_cuda("""
    extern "C" __global__ void both(int* out) {
        extern __shared__ int dynamic[]; __shared__ int fixed[5]; int i = threadIdx.x;
        dynamic[i] = i; if (i < 5) fixed[i] = 100 + i; __syncthreads();
        out[i] = dynamic[31 - i] + fixed[i % 5];
    }""")
    out = ints(32)
    run_kernel(module, "both", [out], shared=128)
    assert out.tolist() == [31 - i + 100 + i % 5 for i in range(32)]
    with pytest.raises(DeviceFault, match="out of bounds"):
        run_kernel(module, "both", [out], shared=124)


def fault(source: str, **options: Any) -> DeviceFault:
    module = compile_cuda(source)
    with pytest.raises(DeviceFault) as caught:
        run_kernel(module, "k", [ints(64)], block=64, **options)
    return caught.value


def test_one_element_too_far_is_a_fault_that_names_buffer_thread_and_line() -> None:
    error = fault('extern "C" __global__ void k(int* out) {\n int i = threadIdx.x;\n out[i + 1] = i;\n}')
    assert "array0" in str(error) and "(63, 0, 0)" in str(error)
    assert error.where is not None and error.where.line == 3
    assert "4 bytes past the end" in str(error)


def test_reads_before_a_buffer_are_out_of_bounds() -> None:
    assert "before array0" in str(
        fault('extern "C" __global__ void k(int* out) { out[0] = out[(int)threadIdx.x - 1]; }')
    )


def test_a_null_pointer_is_called_that() -> None:
    module = compile_cuda('extern "C" __global__ void k(int* out) { out[threadIdx.x] = 1; }')
    with pytest.raises(DeviceFault, match="null pointer"):
        Engine(module).launch("k", (1, 1, 1), (32, 1, 1), 0, bytes(8), Memory(1 << 26))


def test_a_misaligned_vector_is_a_fault() -> None:
    error = fault(
        'extern "C" __global__ void k(int* out) { *(int4*)(out + 1 + threadIdx.x * 0) = make_int4(1, 2, 3, 4); }'
    )
    assert "misaligned" in str(error)


def test_freed_memory_is_not_to_be_touched() -> None:
    module = compile_cuda('extern "C" __global__ void k(int* out) { out[threadIdx.x] = 1; }')
    memory = Memory(1 << 28)
    place = memory.allocate(4096, name="scratch")
    memory.free(place)
    with pytest.raises(DeviceFault, match="freed scratch"):
        Engine(module).launch("k", (1, 1, 1), (32, 1, 1), 0, struct.pack("<Q", place), memory)


def test_hooks_may_go_on_after_a_fault_with_the_other_lanes() -> None:
    module = compile_cuda(
        'extern "C" __global__ void k(int* out) { int i = threadIdx.x; out[i] = out[i + 8] + 1; }'
    )
    out, hooks = np.arange(32, dtype=np.int32), Collect()
    run_kernel(module, "k", [out], hooks=hooks)
    assert [e.kind for e in hooks.events] == [EventKind.BOUNDS]
    assert hooks.events[0].lanes == tuple(range(24, 32))
    assert out.tolist() == [i + 9 for i in range(24)] + [1] * 8


def test_a_loop_of_allocations_does_not_use_memory_up() -> None:
    memory = Memory(1 << 20)
    for _ in range(100):
        place = memory.allocate(100_000)
        memory.write(place, bytes(100_000))
        memory.free(place)
    memory.allocate(100_000)
    with pytest.raises(DeviceFault, match="out of simulated memory"):
        memory.allocate(2 << 20)


def test_allocations_are_far_enough_apart_to_catch_a_stray_access() -> None:
    memory = Memory(1 << 26)
    first, second = memory.allocate(100), memory.allocate(100)
    assert second - first >= RED_ZONE and first % 256 == 0
    assert not memory.holds(first + 100) and memory.holds(first, 100)


@pytest.mark.parametrize(
    ("call", "kind", "formula"),
    [
        ("atomicAdd(p, v)", "int", lambda o, v: o + v),
        ("atomicSub(p, v)", "int", lambda o, v: o - v),
        ("atomicMin(p, v)", "int", min),
        ("atomicMax(p, v)", "int", max),
        ("atomicAnd(p, v)", "unsigned", lambda o, v: o & v),
        ("atomicOr(p, v)", "unsigned", lambda o, v: o | v),
        ("atomicXor(p, v)", "unsigned", lambda o, v: o ^ v),
        ("atomicExch(p, v)", "unsigned", lambda o, v: v),
        ("atomicInc(p, v)", "unsigned", lambda o, v: 0 if o >= v else o + 1),
        ("atomicDec(p, v)", "unsigned", lambda o, v: v if o == 0 or o > v else o - 1),
        ("atomicMax(p, v)", "unsigned long long", max),
        ("atomicAdd(p, v)", "unsigned long long", lambda o, v: o + v),
    ],
)
@pytest.mark.parametrize("space", ["global", "shared"])
def test_atomics_return_the_old_value_lane_after_lane(call: str, kind: str, formula: Any, space: str) -> None:
    where = (
        "__shared__ T cell; if (i == 0) cell = *start; __syncthreads(); T* p = &cell;"
        if space == "shared"
        else "T* p = start;"
    )
    module = compile_cuda(f"""
    typedef {kind} T;
    extern "C" __global__ void k(T* start, const T* values, T* old) {{
        int i = threadIdx.x; {where} T v = values[i]; old[i] = {call}; __syncthreads(); if (i == 0) *start = *p; }}""")
    dtype = {"int": np.int32, "unsigned": np.uint32, "unsigned long long": np.uint64}[kind]
    values = np.random.default_rng(0).integers(0, 20, 64).astype(dtype)
    start, old = np.array([7], dtype=dtype), np.zeros(64, dtype=dtype)
    run_kernel(module, "k", [start, values, old], block=64)
    state = 7
    for k in range(64):
        assert old[k] == dtype(state)
        state = int(formula(state, int(values[k])))
    assert start[0] == dtype(state)


def test_compare_and_swap_lets_one_lane_win() -> None:
    module = compile_cuda("""
    extern "C" __global__ void k(int* cell, int* won) { won[threadIdx.x] = atomicCAS(cell, 0, (int)threadIdx.x + 1); }""")
    cell, won = ints(1), ints(32)
    run_kernel(module, "k", [cell, won])
    assert cell[0] == 1 and won.tolist() == [0] + [1] * 31


def test_float_atomics_add_in_lane_order() -> None:
    module = compile_cuda("""
    extern "C" __global__ void k(float* a, double* b, const float* v) { atomicAdd(a, v[threadIdx.x]); atomicAdd(b, (double)v[threadIdx.x]); }""")
    values = np.random.default_rng(3).standard_normal(64).astype(np.float32)
    single, double = np.zeros(1, np.float32), np.zeros(1)
    run_kernel(module, "k", [single, double, values], block=64)
    total, wide = np.float32(0), 0.0
    for v in values:
        total, wide = np.float32(total + v), wide + float(v)
    assert single[0] == total and double[0] == wide


def test_global_float_atomics_flush_subnormals_and_shared_ones_do_not() -> None:
    tiny = np.array([1e-45] * 32, dtype=np.float32)
    source = """
    extern "C" __global__ void g(float* a, const float* v) { atomicAdd(a, v[threadIdx.x]); }
    extern "C" __global__ void s(float* a, const float* v) {
        __shared__ float cell; if (threadIdx.x == 0) cell = 0; __syncthreads();
        atomicAdd(&cell, v[threadIdx.x]); __syncthreads(); a[0] = cell; }"""
    module = compile_cuda(source)
    for name, expected in (("g", 0.0), ("s", 32 * float(tiny[0]))):
        out = np.zeros(1, np.float32)
        run_kernel(module, name, [out, tiny])
        assert float(out[0]) == expected


def test_half_pairs_add_atomically() -> None:
    text = (
        HEAD
        + """
    .visible .entry k(.param .u64 a, .param .u64 v) {
    .reg .b64 %a, %v; .reg .u32 %t, %x, %o;
    ld.param.u64 %a, [a]; ld.param.u64 %v, [v]; mov.u32 %t, %tid.x; mad.wide.u32 %v, %t, 4, %v;
    ld.global.u32 %x, [%v]; atom.global.add.noftz.f16x2 %o, [%a], %x; red.global.add.noftz.bf16x2 [%a+4], %x; ret; }
    """
    )
    values = (np.arange(64) % 7 * 0.25).astype(np.float16)
    out = np.zeros(4, np.float16)
    run_kernel(parse_module(text), "k", [out, values])
    assert out[:2].tolist() == [values[0::2].sum(), values[1::2].sum()]


def test_128_bit_loads_move_whole_registers() -> None:
    text = (
        HEAD
        + """
    .visible .entry k(.param .u64 a, .param .u64 b) {
    .reg .b64 %a, %b, %x, %y; .reg .b128 %q; .reg .u32 %t;
    ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; mov.u32 %t, %tid.x;
    mad.wide.u32 %a, %t, 16, %a; mad.wide.u32 %b, %t, 16, %b;
    ld.global.b128 %q, [%a]; mov.b128 {%x, %y}, %q; mov.b128 %q, {%y, %x}; st.global.b128 [%b], %q; ret; }
    """
    )
    data = np.arange(64, dtype=np.uint64)
    out = np.zeros_like(data)
    run_kernel(parse_module(text), "k", [data, out])
    assert (out.reshape(-1, 2) == data.reshape(-1, 2)[:, ::-1]).all()


def test_address_space_queries() -> None:
    module = compile_cuda("""
    extern "C" __global__ void k(int* out) {
        __shared__ int s; int l = 3; const void* p[3] = {out, &s, &l};
        int i = threadIdx.x; const void* q = p[i % 3];
        out[i] = __isGlobal(q) + 2 * __isShared(q) + 4 * __isLocal(q); }""")
    out = ints(32)
    run_kernel(module, "k", [out])
    assert out.tolist() == [1 << i % 3 for i in range(32)]


def test_special_registers_describe_the_launch() -> None:
    module = compile_cuda("""
    extern "C" __global__ void k(int* out) {
        int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        int n = blockDim.x * blockDim.y * blockDim.z; unsigned lane, warp;
        asm("mov.u32 %0, %%laneid;" : "=r"(lane)); asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
        out[b * n + t] = b * 10000 + warp * 100 + lane; }""")
    out = ints(24 * 60)
    run_kernel(module, "k", [out], grid=(2, 3, 4), block=(5, 3, 4))
    assert out.tolist() == [b * 10000 + t // 32 * 100 + t % 32 for b in range(24) for t in range(60)]


def test_mov_packs_and_unpacks() -> None:
    values = integers32()
    lines = ".reg .b16 %x, %y; mov.b32 {%x, %y}, %a0; mov.b32 %d0, {%y, %x}; mov.b64 %d1, {%a0, %d0};"
    swapped, wide = run_lines(lines, [values], ["b32"], ["b32", "b64"])
    assert (swapped == (values >> 16 | values << 16)).all()
    assert (wide == values | (swapped.astype(np.uint64) << np.uint64(32))).all()


def test_flushing_is_not_lost_between_instructions() -> None:
    values = floats32()
    lines = "mul.ftz.f32 %d0, %a0, 0f3F800000; fma.rn.ftz.f32 %d0, %d0, 0f3F800000, 0f80000000; add.ftz.f32 %d0, %d0, %a0;"
    got = run_lines(lines, [values], ["f32"], ["f32"])[0].view(np.float32)
    with np.errstate(all="ignore"):
        expected = flushed(flushed(values) + flushed(values))
    both = np.isnan(got) & np.isnan(expected)
    assert (both | (got == expected)).all()
