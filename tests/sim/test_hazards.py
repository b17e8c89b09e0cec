"""One kernel per kind of mistake, and what its finding says."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sim.submissions import given, number, run, wanted
from trainer.grade.backend import RunOutcome
from trainer.grade.verdict import Verdict
from trainer.sim.hints import hint_for
from trainer.sim.report import Hazard, HazardKind

N = 1000
VALUES = np.arange(N, dtype=np.float32)
LAUNCH = """
extern "C" void solve(const float* in, float* out, int n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }
"""
ONE_WARP = 'extern "C" void solve(const float* in, float* out, int n) { k<<<1, 32>>>(in, out, n); }'


def try_kernel(body: str, *, launch: str = LAUNCH, n: int = N, before: str = "") -> RunOutcome:
    """Run a kernel `k(in, out, n)`; its body starts at line 3."""
    source = f"{before}\n__global__ void k(const float* in, float* out, int n) {{\n{body}\n}}\n{launch}"
    values = np.arange(n, dtype=np.float32)
    return run(source, given("in", values), wanted("out", n), number("n", n))


def fatal(outcome: RunOutcome) -> list[Hazard]:
    assert outcome.report is not None
    return [h for h in outcome.report.hazards if h.fatal]


def only_hazard(outcome: RunOutcome) -> Hazard:
    assert outcome.verdict is Verdict.HAZARD, (outcome.verdict, outcome.message)
    found = fatal(outcome)
    assert len(found) == 1, found
    return found[0]


INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"


def test_a_read_one_past_the_end_names_buffer_element_and_distance() -> None:
    hazard = only_hazard(try_kernel(INDEX + "if (i < n) out[i] = in[i + 1];"))
    assert hazard.kind is HazardKind.OUT_OF_BOUNDS
    assert (hazard.line, hazard.block, hazard.thread) == (4, (3, 0, 0), (231, 0, 0))
    assert "reads in[1000], one past the end of in[0..999]" in hazard.message


def test_a_write_one_past_the_end_is_found() -> None:
    hazard = only_hazard(try_kernel(INDEX + "if (i <= n) out[i] = 1.0f;"))
    assert hazard.kind is HazardKind.OUT_OF_BOUNDS
    assert "writes out[1000], one past the end of out[0..999]" in hazard.message


def test_a_line_that_reads_and_writes_out_of_bounds_is_one_finding_that_names_all_its_arrays() -> None:
    hazard = only_hazard(try_kernel(INDEX + "out[i] = in[i] + in[i + 1];"))
    assert "reads in[1000], one past the end of in[0..999]; line 4 also writes out[1000]" in hazard.message
    assert hazard.count == 1 + 3 * 24


STRADDLING = INDEX + "if (4 * i < n) { float4 v = ((const float4*)in)[i];\n"


def test_a_vector_that_reaches_over_the_end_is_advice_while_nothing_depends_on_the_rest() -> None:
    body = STRADDLING + (
        "float s[4] = {v.x, v.y, v.z, v.w};\n"
        "for (int k = 0; k < 4 && 4 * i + k < n; ++k) out[4 * i + k] = s[k]; }"
    )
    outcome = try_kernel(body, n=41)
    assert outcome.verdict is None and outcome.report is not None
    np.testing.assert_array_equal(outcome.outputs["out"], np.arange(41, dtype=np.float32))
    advice = outcome.report.hazards
    assert [h.fatal for h in advice] == [False]
    assert "reads in[40..43], which reaches 3 past the end of in[0..40]" in advice[0].message


def test_a_vector_that_reaches_over_the_end_is_fatal_where_the_rest_is_used() -> None:
    hazard = only_hazard(try_kernel(STRADDLING + "out[4 * i] = v.x + v.y; }", n=41))
    assert hazard.kind is HazardKind.OUT_OF_BOUNDS and hazard.straddles


def test_a_vector_store_over_the_end_is_fatal() -> None:
    body = INDEX + "if (4 * i < n) ((float4*)out)[i] = make_float4(1, 2, 3, 4);"
    assert "writes out[40..43]" in only_hazard(try_kernel(body, n=41)).message


def test_a_negative_index_is_told_from_the_start_of_its_buffer() -> None:
    hazard = only_hazard(try_kernel(INDEX + "if (i < n) out[i] = in[i - 1];"))
    assert "reads in[-1], one before the start of in[0..999]" in hazard.message


def test_a_misaligned_vector_access_is_found() -> None:
    body = INDEX + "if (i < 8) { float4 v = *(const float4*)(in + i * 4 + 1); out[i] = v.x + v.w; }\n"
    body += "else if (i < n) out[i] = 0;"
    hazard = only_hazard(try_kernel(body))
    assert hazard.kind is HazardKind.MISALIGNED
    assert "in[1] with 16 bytes at once" in hazard.message


def test_a_null_pointer_is_named_as_one() -> None:
    launch = 'extern "C" void solve(const float* in, float* out, int n) { k<<<4, 256>>>(nullptr, out, n); }'
    hazard = only_hazard(try_kernel(INDEX + "if (i < n) out[i] = in[i];", launch=launch))
    assert hazard.kind is HazardKind.NULL_POINTER


@pytest.mark.parametrize(
    ("body", "launch", "message", "hint"),
    [
        ("out[i] = 1;", "float* h = new float[n]; k<<<1, 32>>>(in, h, n);", "is host memory", "cudaMemcpy"),
        ("out[i] = in[i];", "k<<<1, 32>>>((float*)(1L << 47), out, n);", "no device memory", "ever set"),
        ("s[i] = 1; out[i] = s[i];", "k<<<1, 32>>>(in, out, n);", "has 0 bytes", "third launch argument"),
        ("s[i] = 1; out[i] = s[i];", "k<<<1, 32, 64>>>(in, out, n);", "has 64 bytes", "all of its bytes"),
        ("out[i + n] = 1;", "k<<<1, 32>>>(in, out, n);", "one past the end", "Guard the access"),
    ],
)  # fmt: skip
def test_the_hint_fits_what_lies_outside(body: str, launch: str, message: str, hint: str) -> None:
    solve = f'extern "C" void solve(const float* in, float* out, int n) {{ {launch} }}'
    outcome = try_kernel(f"extern __shared__ float s[];\n{INDEX}{body}", launch=solve, n=32)
    assert outcome.verdict is Verdict.HAZARD
    assert message in outcome.message and hint in outcome.hint


def test_memory_used_after_cuda_free_is_found() -> None:
    launch = """#include <cuda_runtime.h>
extern "C" void solve(const float* in, float* out, int n) {
  float* t; cudaMalloc(&t, n * 4); cudaMemcpy(t, in, n * 4, cudaMemcpyDeviceToDevice); cudaFree(t);
  k<<<4, 256>>>(t, out, n); }"""
    hazard = only_hazard(try_kernel(INDEX + "if (i < n) out[i] = in[i];", launch=launch))
    assert hazard.kind is HazardKind.FREED_POINTER
    assert "reads element 0 of the scratch memory of cudaMalloc number 1 after cudaFree" in hazard.message


def test_an_uninitialised_shared_read_is_found() -> None:
    hazard = only_hazard(
        try_kernel("__shared__ float s[257];\n" + INDEX + "s[threadIdx.x] = in[i < n ? i : 0];\n"
                   "__syncthreads();\nif (i < n) out[i] = s[threadIdx.x + 1];")
    )  # fmt: skip
    assert hazard.kind is HazardKind.UNINITIALISED_READ
    assert "thread (255, 0, 0) of block (0, 0, 0) reads s[256]" in hazard.message


def test_an_output_read_before_anyone_wrote_it_is_found() -> None:
    hazard = only_hazard(try_kernel(INDEX + "if (i < n) out[i] += in[i];"))
    assert hazard.kind is HazardKind.UNINITIALISED_READ
    assert "reads out[0]" in hazard.message


def test_an_atomic_on_memory_that_is_not_zeroed_is_found() -> None:
    hazard = only_hazard(try_kernel(INDEX + "if (i < n) atomicAdd(&out[i], in[i]);"))
    assert hazard.kind is HazardKind.UNINITIALISED_READ
    assert "updates out[0]" in hazard.message


def test_garbage_that_no_output_depends_on_is_only_advice() -> None:
    outcome = try_kernel(
        "__shared__ float s[257];\n" + INDEX + "s[threadIdx.x] = in[i < n ? i : 0];\n"
        "__syncthreads();\nfloat v = s[threadIdx.x + 1];\nif (i < n) out[i] = threadIdx.x < 255 ? v : 0.0f;"
    )
    assert outcome.verdict is None, outcome.message
    assert outcome.report is not None
    assert [(h.kind, h.fatal) for h in outcome.report.hazards] in (
        [], [(HazardKind.UNINITIALISED_READ, False)],
    )  # fmt: skip


def test_a_missing_barrier_names_both_threads_and_lines() -> None:
    hazard = only_hazard(
        try_kernel("__shared__ float s[256];\n" + INDEX + "s[threadIdx.x] = in[i < n ? i : 0];\n"
                   "if (threadIdx.x >= 32 && i < n) out[i] = s[threadIdx.x - 32];\n"
                   "else if (i < n) out[i] = 0;")
    )  # fmt: skip
    assert hazard.kind is HazardKind.SHARED_RACE
    assert (hazard.line, hazard.other_line) == (6, 5)
    assert (hazard.thread, hazard.other_thread) == ((32, 0, 0), (0, 0, 0))
    assert "reads s[0] that thread (0, 0, 0) wrote at line 5; no __syncthreads() between" in hazard.message
    assert hint_for(hazard, "") == "Put a __syncthreads() between the two accesses."


def test_overwriting_what_others_still_read_is_a_race() -> None:
    hazard = only_hazard(
        try_kernel("__shared__ float s[256];\n" + INDEX + "int t = threadIdx.x;\ns[t] = in[i < n ? i : 0];\n"
                   "__syncthreads();\nfloat v = s[(t + 32) % 256];\ns[t] = v + 1;\n__syncthreads();\n"
                   "if (i < n) out[i] = s[t];")
    )  # fmt: skip
    assert hazard.kind is HazardKind.SHARED_RACE
    assert {hazard.line, hazard.other_line} == {8, 9}
    assert "writes s[32] that thread (0, 0, 0) read at line 8" in hazard.message


@pytest.mark.parametrize("barrier", ["__syncthreads();", "cooperative_groups::this_thread_block().sync();"])
@pytest.mark.parametrize("own_line", [True, False])
def test_a_barrier_missing_at_the_end_of_a_loop_is_told_from_the_one_that_is_there(
    barrier: str, own_line: bool
) -> None:
    """Whoever is told to put a barrier between two lines that have one between them learns nothing."""
    end = "\n" if own_line else " "
    outcome = try_kernel(
        f"__shared__ float s[256];\n{INDEX}float v = 0;\nfor (int k = 0; k < 4; ++k) {{\n"
        f"s[threadIdx.x] = in[i < n ? i : 0] + k;{end}{barrier}\n"
        "v += s[255 - threadIdx.x];\n}\nif (i < n) out[i] = v;",
        before="#include <cooperative_groups.h>",
    )
    assert outcome.verdict is Verdict.HAZARD
    at, last = (8, 9) if own_line else (7, 8)
    assert outcome.hint == (
        f"The barrier of line {at} stands between lines 7 and {last}; another is missing on the way back, "
        f"from line {last} to the next turn's line 7."
    )


def test_a_race_of_a_line_with_itself_is_between_turns_or_within_one() -> None:
    outcome = try_kernel(
        f"__shared__ float s[256];\n{INDEX}s[threadIdx.x] = in[i < n ? i : 0];\n__syncthreads();\n"
        "for (int d = 128; d; d /= 2)\nif (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];\n"
        "__syncthreads();\nif (i < n) out[i] = s[0];"
    )
    assert outcome.hint.endswith("between the two: between turns, or between reading and writing.")


def test_different_values_at_one_place_are_a_race() -> None:
    hazard = only_hazard(
        try_kernel("__shared__ float s[1];\n" + INDEX + "s[0] = threadIdx.x;\n__syncthreads();\n"
                   "if (i < n) out[i] = s[0];")
    )  # fmt: skip
    assert hazard.kind is HazardKind.SHARED_RACE
    assert "a different value" in hazard.message


def test_a_shared_counter_reset_without_a_barrier_is_a_race() -> None:
    hazard = only_hazard(
        try_kernel("__shared__ int c;\n" + INDEX + "if (threadIdx.x == 0) c = 0;\natomicAdd(&c, 1);\n"
                   "__syncthreads();\nif (i < n) out[i] = c;")
    )  # fmt: skip
    assert hazard.kind is HazardKind.SHARED_RACE
    assert "updates c[0]" in hazard.message


def test_a_neighbour_in_another_block_updated_in_place_is_a_race() -> None:
    launch = """extern "C" void solve(const float* in, float* out, int n) {
  cudaMemcpy(out, in, n * 4, cudaMemcpyDeviceToDevice); k<<<4, 256>>>(in, out, n); }"""
    hazard = only_hazard(try_kernel(INDEX + "if (i < n) out[i] = out[(i + 256) % n] * 2;", launch=launch))
    assert hazard.kind is HazardKind.GLOBAL_RACE
    assert hazard.other_block is not None and hazard.other_block != hazard.block
    assert "nothing orders the two blocks" in hazard.message


TWO_WARPS = 'extern "C" void solve(const float* in, float* out, int n) { k<<<2, 64>>>(in, out, n); }'
DIVERGENT = {  # code from line 4 on: lines of the barrier and of the others, a thread of either; the message
    "some lanes of a warp": (
        "if (t < 16)\n__syncthreads();\nout[t] = 1;",
        (5, 7, 0, 16),
        "lanes 0-15 of warp 0 of block (0, 0, 0) wait "
        "at __syncthreads() (line 5), where lanes 16-31 never came: they went past and ended (line 7)",
    ),
    "one thread": (
        "if (t == 37) __syncthreads();\nout[t] = 1;",
        (4, 6, 37, 32),
        "lane 5 of warp 1 of block (0, 0, 0) waits "
        "at __syncthreads() (line 4), where lanes 0-4, 6-31 never came: they went past and ended (line 6)",
    ),
    "two barriers in one warp": (
        "if (t % 32 < 16) {\n__syncthreads(); out[t] = 2;\n} else {\n__syncthreads(); out[t] = 1;\n}",
        (7, 5, 16, 0),
        "lanes 16-31 of warp 0 of block (0, 0, 0) wait "
        "at __syncthreads() (line 7) while lanes 0-15 wait at __syncthreads() (line 5)",
    ),
    "two barriers of two warps": (
        "if (t < 32) {\n__syncthreads(); out[t] = 2;\n} else {\n__syncthreads(); out[t] = 1;\n}",
        (7, 5, 32, 0),
        "lanes 0-31 of warp 1 of block (0, 0, 0) wait "
        "at __syncthreads() (line 7) while lanes 0-31 of warp 0 wait at __syncthreads() (line 5)",
    ),
    "a loop of fewer turns": (
        "for (int j = t % 32; j < 32; j += 31)\n__syncthreads();\nout[t] = 1;",
        (5, 7, 0, 1),
        "lane 0 of warp 0 of block (0, 0, 0) waits "
        "at __syncthreads() (line 5), where lanes 1-31 never came: they went past and ended (line 7)",
    ),
    "a named barrier that a warp leaves out": (
        'if (t < 32) asm volatile("bar.sync 1, 64;");\nout[t] = 1;',
        (4, 6, 0, 32),
        "lanes 0-31 of warp 0 of block (0, 0, 0) wait "
        "at bar.sync (line 4) for ever, where lanes 0-31 of warp 1 never came: they ended (line 6)",
    ),
    "a function that some lanes call": (
        "if (t < 16) meet();\nout[t] = 1;",
        (1, None, 0, 16),
        "lanes 0-15 of warp 0 of block (0, 0, 0) wait "
        "at __syncthreads() (line 1) for ever, where lanes 16-31 never came: they did not call the "
        "function that it is in",
    ),
    "a named barrier for more than there are": (
        'asm volatile("bar.sync 1, 96;");\nout[t] = 1;',
        (4, None, 0, None),
        "lanes 0-31 of warp 0 of block (0, 0, 0) wait "
        "at bar.sync (line 4) for ever, where not all come that it waits for",
    ),
}


@pytest.mark.parametrize("name", DIVERGENT)
def test_a_barrier_that_not_all_reach_names_who_waits_and_who_does_not_come(name: str) -> None:
    code, (line, other_line, waits, missing), message = DIVERGENT[name]
    function = "__device__ __noinline__ void meet() { __syncthreads(); }"
    found = fatal(try_kernel(f"int t = threadIdx.x;\n{code}", launch=TWO_WARPS, before=function))
    hazard = next(h for h in found if h.kind is HazardKind.BARRIER_DIVERGENCE)
    assert hazard.message == message
    assert (hazard.line, hazard.other_line, hazard.thread) == (line, other_line, (waits, 0, 0))
    assert hazard.other_thread == (None if missing is None else (missing, 0, 0))


def test_an_early_return_that_the_compiler_merges_with_the_end_is_no_hazard() -> None:
    outcome = try_kernel(
        INDEX + "__shared__ float s[256];\nif (i >= n - 100) { if (i < n) out[i] = 0; return; }\n"
        "s[threadIdx.x] = in[i];\n__syncthreads();\nout[i] = s[threadIdx.x ^ 1];"
    )
    assert not fatal(outcome), fatal(outcome)


def test_a_failed_assert_names_expression_line_and_thread() -> None:
    outcome = try_kernel(INDEX + "assert(i < 900);\nif (i < n) out[i] = in[i];", before="#include <cassert>")
    hazard = only_hazard(outcome)
    assert hazard.kind is HazardKind.ASSERT
    assert "assert(i < 900)" in hazard.message


def test_a_kernel_that_never_ends_times_out() -> None:
    source = """
__global__ void k(float* out) { while (out[0] >= 0.0f) out[threadIdx.x] += 0.0f; }
extern "C" void solve(float* out) { k<<<1, 32>>>(out); }
"""
    outcome = run(source, wanted("out", 32, zeroed=True), budget_s=1.0)
    assert outcome.verdict is Verdict.TIMED_OUT
    assert outcome.line == 2
    assert outcome.report is not None
    assert HazardKind.RUNAWAY in {h.kind for h in outcome.report.hazards}


def test_a_thread_that_never_ends_is_named() -> None:
    body = "volatile float* v = out; if (threadIdx.x == 40 && blockIdx.x == 1)\nwhile (v[0] == v[0]) { }"
    source = f"__global__ void k(float* out) {{\n{body}\n}}\n"
    source += 'extern "C" void solve(float* out) { k<<<2, 64>>>(out); }'
    outcome = run(source, wanted("out", 32, zeroed=True), budget_s=0.5)
    assert outcome.report is not None
    (hazard,) = [h for h in outcome.report.hazards if h.kind is HazardKind.RUNAWAY]
    assert (hazard.line, hazard.block, hazard.thread) == (3, (1, 0, 0), (40, 0, 0))


def test_a_loop_of_launches_that_never_ends_is_not_blamed_on_the_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("trainer.sim.device.MANY_LAUNCHES", 10)
    source = """
__global__ void k(float* out) { out[threadIdx.x] = 1.0f; }
extern "C" void solve(float* out) { for (;;) k<<<1, 32>>>(out); }
"""
    outcome = run(source, wanted("out", 32), budget_s=0.5)
    assert outcome.verdict is Verdict.TIMED_OUT
    assert "host function" in outcome.message
    assert outcome.report is None or not outcome.report.hazards


def test_a_kernel_that_never_ends_after_many_launches_is_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trainer.sim.device.MANY_LAUNCHES", 3)
    monkeypatch.setattr("trainer.sim.device.JUST_BEGUN_S", 0.2)
    source = """
__global__ void k(float* out, int n) { while (n > 4 && out[0] >= 0.0f) out[threadIdx.x] += 0.0f; }
extern "C" void solve(float* out) { for (int n = 0; n < 9; n++) k<<<1, 32>>>(out, n); }
"""
    outcome = run(source, wanted("out", 32, zeroed=True), budget_s=1.5)
    assert outcome.verdict is Verdict.TIMED_OUT
    assert "k is still running" in outcome.message


def test_shared_memory_ends_where_the_block_has_no_more() -> None:
    hazard = only_hazard(try_kernel("__shared__ float s[64];\n" + INDEX + "s[threadIdx.x] = 1;\n"
                                    "__syncthreads();\nif (i < n) out[i] = s[i % 64];"))  # fmt: skip
    assert hazard.kind is HazardKind.OUT_OF_BOUNDS
    assert "thread (64, 0, 0) of block (0, 0, 0) writes s[64]; the block has 256 bytes" in hazard.message


def test_findings_at_one_line_are_merged_and_counted() -> None:
    hazard = only_hazard(try_kernel(INDEX + "out[i] = 1.0f;"))
    assert hazard.count == 24


def test_a_sum_without_atomics_is_fatal_though_every_order_of_blocks_gets_it_right() -> None:
    body = INDEX + "if (threadIdx.x == 0 && i < n) out[0] = out[0] + in[i];"
    clear = LAUNCH.replace("{ k<<<", "{ cudaMemset(out, 0, 4 * n); k<<<")
    outcome = try_kernel(body, launch=clear)
    assert {h.kind for h in fatal(outcome)} == {HazardKind.GLOBAL_RACE}


def test_a_shuffle_from_threads_that_have_returned_is_told() -> None:
    outcome = try_kernel(INDEX + "if (i >= n) return;\nout[i] = __shfl_down_sync(~0u, in[i], 16);", n=40)
    assert outcome.report is not None
    (hazard,) = outcome.report.hazards
    assert (hazard.kind, hazard.line, hazard.fatal) == (HazardKind.ABSENT_LANE, 5, False)
    assert hazard.undefined
    assert hazard.message == (
        "thread (32, 0, 0) of block (0, 0, 0) takes part in __shfl_down_sync, where lanes 0-7 read from "
        "lanes that have ended"
    )


HANGS = {  # kernels of these patterns hang for ever on an H200 (measured: all but those "of its own", "many")
    "at a block barrier": (
        "if (t < 8) v += __shfl_down_sync(~0u, v, 4);\n__syncthreads();",
        "lanes 8-31 of warp 0 of block (0, 0, 0) wait at __syncthreads() (line 5) while lanes 0-7 wait for "
        "them in __shfl_down_sync (line 4), whose mask names them: a GPU hangs here",
    ),
    "at a barrier that counts": (
        "if (t % 32 >= 16) v += __shfl_xor_sync(~0u, v, 8);\nv += __syncthreads_count(v > 3);",
        "lanes 0-15 of warp 0 of block (0, 0, 0) wait at __syncthreads() (line 5) while lanes 16-31 wait for "
        "them in __shfl_xor_sync (line 4)",
    ),
    "behind a warp barrier": (
        "if (t == 3) {\n__syncwarp();\nv = 1;\n}\n__syncthreads();",
        "wait at __syncthreads() (line 8) while lane 3 waits for them in __syncwarp() (line 5)",
    ),
    "behind a vote": (
        "if (t < 31) v += __ballot_sync(~0u, t & 1);\n__syncthreads();",
        "lane 31 of warp 0 of block (0, 0, 0) waits at __syncthreads() (line 5) while lanes 0-30 wait for it "
        "in __ballot_sync (line 4), whose mask names it",
    ),
    "a warp barrier does not answer a shuffle": (
        "if (t < 8) v += __shfl_down_sync(~0u, v, 4);\n__syncwarp();",
        "lanes 8-31 of warp 0 of block (0, 0, 0) wait at __syncwarp() (line 5) while lanes 0-7",
    ),
    "a collective of its own does not answer either": (
        "if (t < 8) v += __shfl_down_sync(~0u, v, 4);\nelse v += __shfl_down_sync(~0xffu, v, 4);\n"
        "__syncthreads();",
        "lanes 8-31 of warp 0 of block (0, 0, 0) wait at __syncthreads() (line 6) while lanes 0-7",
    ),
    "some of many turns": (
        "for (int d = t < 16 ? 4 : 2; d; d /= 2) v += __shfl_down_sync(~0u, v, d);\n__syncthreads();",
        "lanes 16-31 of warp 0 of block (0, 0, 0) wait at __syncthreads() (line 5) while lanes 0-15",
    ),
}


@pytest.mark.parametrize("name", HANGS)
def test_lanes_that_a_collective_waits_for_and_that_never_come_are_found(name: str) -> None:
    code, message = HANGS[name]
    body = f"int t = threadIdx.x; float v = t;\n{code}\nout[t] = v;"
    hazard = only_hazard(try_kernel(body, launch=ONE_WARP))
    assert hazard.kind is HazardKind.ABSENT_LANE
    assert message in hazard.message
    assert hazard.other_line is not None and hazard.line < hazard.other_line


def test_lanes_that_wait_for_each_other_are_found_whichever_come_first() -> None:
    """Lanes take turns where the kernel may wait for other threads: some are at the barrier early."""
    body = (
        "int t = threadIdx.x; float v = t;\n"
        "while (atomicAdd((int*)out + 40, 1) < 20 + t) { }\n"
        "if (t >= 24) v += __shfl_down_sync(~0u, v, 4);\n__syncthreads();\nout[t] = v;"
    )
    outcome = try_kernel(body, launch=ONE_WARP)
    assert HazardKind.ABSENT_LANE in {h.kind for h in fatal(outcome)}


COPIES = "#include <cuda_pipeline.h>"
FETCH = (
    "__shared__ float s[256]; int t = threadIdx.x;\n"
    "__pipeline_memcpy_async(s + t, in + t, 4); __pipeline_commit();\n"
)


def test_a_copy_that_nobody_waited_for_explains_a_wrong_answer_at_the_line_that_reads() -> None:
    outcome = try_kernel(FETCH + "out[t] = s[t];", launch=ONE_WARP, before=COPIES)
    assert outcome.report is not None
    (hazard,) = outcome.report.hazards
    assert (hazard.kind, hazard.line, hazard.fatal) == (HazardKind.UNFINISHED_COPY, 5, False)
    assert "reads s[0] while cp.async may still be filling it" in hazard.message


def test_a_copy_that_was_waited_for_is_no_finding() -> None:
    outcome = try_kernel(FETCH + "__pipeline_wait_prior(0); out[t] = s[t];", launch=ONE_WARP, before=COPIES)
    assert outcome.verdict is None and outcome.report is not None and not outcome.report.hazards


MASKED = "__shared__ int s; int t = threadIdx.x; unsigned m = n ? 0xffffu << (t & 0) : 0;\n"


@pytest.mark.parametrize(
    ("call", "fatal"),
    [
        ("__ballot_sync(0xffff, t)", True),
        ("__shfl_xor_sync(m, t, 1)", False),
        ("__shfl_xor_sync(0xffff, t, 1)", False),
        ("__reduce_add_sync(0xffffu, t)", False),
    ],
)
def test_a_lane_that_its_own_mask_does_not_name_is_told_and_fatal_where_an_h200_stops(
    call: str, fatal: bool
) -> None:
    outcome = try_kernel(f"{MASKED}out[t] = {call};", launch=ONE_WARP)
    assert outcome.report is not None
    (hazard,) = outcome.report.hazards
    assert (hazard.kind, hazard.line, hazard.fatal) == (HazardKind.ABSENT_LANE, 4, fatal)
    assert hazard.thread == (16, 0, 0) and "whose mask does not name it" in hazard.message


def test_a_copy_that_reads_out_of_bounds_names_the_array_it_reads() -> None:
    body = "__shared__ float s[32];\n__pipeline_memcpy_async(s + threadIdx.x, in + n, 4);"
    hazard = only_hazard(try_kernel(body, launch=ONE_WARP, before=COPIES))
    assert "reads in[1000], one past the end of in[0..999]" in hazard.message
