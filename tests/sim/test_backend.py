"""SimBackend: what a run answers beside counts and hazards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.sim.submissions import backend, given, number, run, wanted
from trainer.bank.model import Role
from trainer.cuda.model import Parameter, Signature
from trainer.grade.backend import RunOutcome, RunRequest, TimeRequest
from trainer.grade.verdict import Verdict

COPY = """
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64]; int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f; __syncthreads();
  if (i < n) out[i] = s[threadIdx.x]; }
extern "C" void solve(const float* in, float* out, int n) { k<<<(n + 63) / 64, 64>>>(in, out, n); }
"""


def test_launches_of_all_sizes_may_follow_each_other() -> None:
    for n in (5, 5000, 100, 5000, 700, 5000):
        values = np.arange(n, dtype=np.float32)
        outcome = run(COPY, given("in", values), wanted("out", n), number("n", n))
        assert outcome.verdict is None, outcome.message
        assert np.array_equal(outcome.outputs["out"], values)


def test_a_changed_input_is_named() -> None:
    source = COPY.replace("out[i] = s", "((float*)in)[i] = 7, out[i] = s")
    outcome = run(source, given("in", np.ones(100, dtype=np.float32)), wanted("out", 100), number("n", 100))
    assert outcome.changed_inputs == ("in",)


REVERSE = """
__global__ void k(float* x, int n) {
  int i = blockIdx.x * 64 + threadIdx.x, j = n - 1 - i;
  if (i < j) { float t = x[i]; x[i] = x[j]; x[j] = t; } }
extern "C" void solve(float* x, int n) { k<<<(n / 2 + 63) / 64, 64>>>(x, n); }
"""


def test_an_array_may_be_given_and_overwritten() -> None:
    values = np.arange(101, dtype=np.float32)
    in_place = replace(given("x", values), ctype="float*", role=Role.INOUT)
    outcome = run(REVERSE, in_place, number("n", 101))
    assert outcome.verdict is None and outcome.changed_inputs == (), outcome.message
    assert np.array_equal(outcome.outputs["x"], values[::-1])


def test_an_output_nobody_writes_holds_garbage_that_depends_on_the_seed() -> None:
    source = 'extern "C" void solve(float* out) { }'
    first, second = (run(source, wanted("out", 100), seed=seed).outputs["out"] for seed in (1, 2))
    assert not np.array_equal(first.view(np.uint8), second.view(np.uint8))


def test_device_variables_start_afresh_unless_the_module_is_kept() -> None:
    source = """__device__ int calls; __global__ void k(int* out) { out[0] = ++calls; }
extern "C" void solve(int* out) { k<<<1, 1>>>(out); }"""
    out = wanted("out", 1, "int32")
    assert backend().compile(source, Signature("solve", (Parameter("out", "int*"),))).ok
    got = [
        int(backend().run(RunRequest((out,), 1, fresh_module=fresh)).outputs["out"][0])
        for fresh in (True, True, False, False)
    ]
    assert got == [1, 1, 2, 3]


def test_blocks_and_warps_run_from_the_last_to_the_first_on_request() -> None:
    source = """__global__ void k(int* out) {
  if (threadIdx.x % 32 == 0) out[atomicAdd(out + 4, 1)] = 2 * blockIdx.x + threadIdx.x / 32; }
extern "C" void solve(int* out) { k<<<2, 64>>>(out); }"""
    out = replace(wanted("out", 5, "int32"), zeroed=True)
    assert backend().compile(source, Signature("solve", (Parameter("out", "int*"),))).ok
    orders = [
        backend().run(RunRequest((out,), 1, backwards=backwards)).outputs["out"][:4].tolist()
        for backwards in (False, True)
    ]
    assert orders == [[0, 1, 2, 3], [3, 2, 1, 0]]


def test_what_kernels_print_comes_back_up_to_a_limit() -> None:
    source = """#include <cstdio>
__global__ void k(int n) { for (int i = 0; i < n; ++i) printf("%d of %s\\n", i, "n"); }
extern "C" void solve(float* out, int n) { k<<<1, 1>>>(n); }"""
    outcome = run(source, wanted("out", 1), number("n", 3))
    assert outcome.printed == "0 of n\n1 of n\n2 of n\n"
    flood = run(source, wanted("out", 1), number("n", 20000))
    assert len(flood.printed) < 70_000
    assert "[more output dropped]" in flood.printed


def test_a_launch_is_told_with_its_occupancy_and_work() -> None:
    outcome = run(COPY, given("in", np.ones(640, dtype=np.float32)), wanted("out", 640), number("n", 640))
    (launch,) = outcome.launches
    assert (launch.kernel, launch.grid, launch.block) == ("k", (10, 1, 1), (64, 1, 1))
    assert launch.shared_bytes == 256
    assert launch.occupancy == 1.0
    assert launch.thread_instructions > 640 * 5


def test_the_model_counts_every_sector_once() -> None:
    n = 100_000
    outcome = run(COPY, given("in", np.ones(n, dtype=np.float32)), wanted("out", n), number("n", n))
    assert outcome.report is not None and outcome.report.model is not None
    assert outcome.report.model.dram_bytes == 2 * 4 * n
    assert outcome.report.model.device == "H200"


def test_divergence_counts_full_and_partial_warps() -> None:
    source = COPY.replace("if (i < n) out", "if (i % 2 == 0) out[i] = 1; else if (i < n) out")
    outcome = run(source, given("in", np.ones(64, dtype=np.float32)), wanted("out", 64), number("n", 64))
    assert outcome.report is not None
    assert all(row.divergent_branches <= row.executions for row in outcome.report.divergence)
    assert sum(row.divergent_branches for row in outcome.report.divergence) >= 2


def test_the_simulator_has_no_times() -> None:
    assert backend().time(TimeRequest((), {}, 0, 0)).timing is None


def test_a_feature_of_another_world_is_named() -> None:
    source = """__global__ void k(float* out) { asm volatile("wgmma.fence.sync.aligned;"); out[0] = 1; }
extern "C" void solve(float* out) { k<<<1, 128>>>(out); }"""
    signature = Signature("solve", (Parameter("out", "float*"),))
    compiled = backend().compile(source, signature)
    if compiled.ok:
        outcome = backend().run(RunRequest((wanted("out", 1),), 1))
        assert outcome.verdict is Verdict.UNSUPPORTED
        assert "wgmma" in outcome.message
    else:
        assert compiled.verdict is not None


def test_wild_accesses_are_found_even_when_nothing_else_is_watched() -> None:
    source = COPY.replace("if (i < n) out", "out")
    values = np.ones(100, dtype=np.float32)
    outcome = run(
        source, given("in", values), wanted("out", 100), number("n", 100), observe=False, hazards=False
    )
    assert outcome.verdict is Verdict.HAZARD
    assert "writes out[100]" in outcome.message


def test_what_is_not_observed_is_not_reported() -> None:
    outcome = run(
        COPY, given("in", np.ones(64, dtype=np.float32)), wanted("out", 64), number("n", 64), observe=False
    )
    assert outcome.report is not None
    assert (outcome.report.access, outcome.report.model, outcome.report.divergence) == ((), None, ())


def test_a_thousand_small_launches_are_counted_like_one() -> None:
    source = COPY.replace("{ k<<<", "{ for (int j = 0; j < 1000; ++j) k<<<")
    outcome = run(source, given("in", np.ones(64, dtype=np.float32)), wanted("out", 64), number("n", 64))
    assert outcome.report is not None
    rows = {(a.space, a.op): a.requests for a in outcome.report.access}
    assert set(rows.values()) == {2000}
    assert len(outcome.launches) == 256


HOST_STATICS = """#include <cuda_runtime.h>
__constant__ float factor;
extern __shared__ float tile[];
__global__ void k(const float* in, float* out, float* kept, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  tile[i] = in[i]; out[i] = factor * tile[i] + (kept ? kept[i] : 0); if (kept) kept[i] = out[i]; }
static int calls = 0;
extern "C" void solve(const float* in, float* out, int n) {
  static bool ready = false; static float* kept; static cudaStream_t stream;
  if (!ready) {
    cudaMalloc(&kept, n * 4); cudaMemset(kept, 0, n * 4); cudaStreamCreate(&stream);
    float two = 2; cudaMemcpyToSymbol(factor, &two, 4);
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);
    ready = true;
  }
  k<<<1, n, 60000, stream>>>(in, out, kept, n); ++calls; CHANGE }
"""


def called_again(change: str) -> list[RunOutcome]:
    """Three calls in one process, and one in another."""
    arguments = (given("in", np.ones(8, dtype=np.float32)), wanted("out", 8), number("n", 8))
    signature = Signature("solve", tuple(Parameter(a.name, a.ctype) for a in arguments))
    assert backend().compile(HOST_STATICS.replace("CHANGE", change), signature).ok
    return [backend().run(RunRequest(arguments, k, fresh_module=k in (0, 3))) for k in range(4)]


def test_what_the_host_set_up_at_its_first_call_is_there_at_the_next_ones() -> None:
    outcomes = called_again("")
    assert [o.verdict for o in outcomes] == [None] * 4, [o.message for o in outcomes]
    assert [float(o.outputs["out"][7]) for o in outcomes] == [2, 4, 6, 2]


def test_scratch_that_a_call_frees_and_the_next_one_uses_is_found() -> None:
    first, second, *_ = called_again("cudaFree(kept);")
    assert first.verdict is None
    assert second.verdict is Verdict.HAZARD and "after cudaFree" in second.message
