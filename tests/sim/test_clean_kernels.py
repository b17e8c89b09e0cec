"""Correct kernels of every style: none of them may be called wrong."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sim.submissions import given, number, run, wanted
from trainer.bank.model import Array

N = 1000
VALUES = np.arange(N, dtype=np.float32) % 17
TOTAL = VALUES.sum()


def result(source: str, elements: int = 1, *, zeroed: bool = False, dtype: str = "float32") -> Array:
    outcome = run(
        source, given("in", VALUES), wanted("out", elements, dtype, zeroed=zeroed), number("n", N)
    )
    assert outcome.verdict is None, outcome.message
    return outcome.outputs["out"]


SOLVE = 'extern "C" void solve(const float* in, float* out, int n)'

REDUCTIONS = {
    "shared tree": """__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[256]; int t = threadIdx.x; float v = 0;
  for (int i = t; i < n; i += 256) v += in[i];
  s[t] = v; __syncthreads();
  for (int d = 128; d; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t == 0) out[0] = s[0]; }""",
    "volatile last warp": """__device__ void last(volatile float* s, int t) {
  s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8];
  s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1]; }
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[256]; int t = threadIdx.x; float v = 0;
  for (int i = t; i < n; i += 256) v += in[i];
  s[t] = v; __syncthreads();
  for (int d = 128; d > 32; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t < 32) last(s, t);
  if (t == 0) out[0] = s[0]; }""",
    "shuffles": """__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[8]; int t = threadIdx.x; float v = 0;
  for (int i = t; i < n; i += 256) v += in[i];
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t < 32) { v = t < 8 ? s[t] : 0; for (int o = 4; o; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o); }
  if (t == 0) out[0] = v; }""",
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_one_block_reductions(name: str) -> None:
    assert result(REDUCTIONS[name] + SOLVE + "{ k<<<1, 256>>>(in, out, n); }")[0] == TOTAL


def test_a_warp_that_relies_on_lock_step_gets_advice_and_no_more() -> None:
    source = REDUCTIONS["volatile last warp"] + SOLVE + "{ k<<<1, 256>>>(in, out, n); }"
    outcome = run(source, given("in", VALUES), wanted("out", 1), number("n", N))
    assert outcome.verdict is None
    assert outcome.report is not None
    assert outcome.report.hazards
    assert not any(h.fatal for h in outcome.report.hazards)
    assert "no __syncwarp() between" in outcome.report.hazards[0].message


def test_a_last_block_reduction_with_fence_and_ticket() -> None:
    source = """__device__ unsigned ticket; __device__ float part[64];
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64]; __shared__ bool last; int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = i < n ? in[i] : 0; __syncthreads();
  for (int d = 32; d; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t == 0) { part[blockIdx.x] = s[0]; __threadfence();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1; }
  __syncthreads();
  if (last) { s[t] = t < gridDim.x ? part[t] : 0; __syncthreads();
    for (int d = 32; d; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
    if (t == 0) out[0] = s[0]; } }"""
    assert result(source + SOLVE + "{ k<<<(n + 63) / 64, 64>>>(in, out, n); }")[0] == TOTAL


def test_a_histogram_with_shared_and_global_atomics() -> None:
    source = """__global__ void k(const float* in, int* out, int n) {
  __shared__ int h[17]; int t = threadIdx.x;
  if (t < 17) h[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128) atomicAdd(&h[(int)in[i]], 1);
  __syncthreads();
  if (t < 17) atomicAdd(&out[t], h[t]); }
extern "C" void solve(const float* in, int* out, int n) { k<<<3, 128>>>(in, out, n); }"""
    got = result(source, 17, zeroed=True, dtype="int32")
    assert np.array_equal(got, np.bincount(VALUES.astype(int), minlength=17))


def test_a_flag_that_many_threads_set_to_the_same_value() -> None:
    source = """__global__ void k(const float* in, int* out, int n) {
  __shared__ int found; if (threadIdx.x == 0) found = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 3) found = 1;
  __syncthreads();
  if (found) out[0] = 1; }
extern "C" void solve(const float* in, int* out, int n) { k<<<8, 128>>>(in, out, n); }"""
    assert result(source, dtype="int32")[0] == 1


def test_an_update_in_place_by_each_elements_own_thread() -> None:
    source = """__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { x[i] *= 2; x[i] += 1; } }"""
    solve = SOLVE + """{ cudaMemcpy(out, in, 4 * n, cudaMemcpyDeviceToDevice);
  scale<<<4, 256>>>(out, n); scale<<<4, 256>>>(out, n); }"""
    assert np.array_equal(result(source + solve, N), (VALUES * 2 + 1) * 2 + 1)


def test_bytes_of_one_word_written_by_different_threads() -> None:
    source = """__global__ void k(const float* in, unsigned char* out, int n) {
  __shared__ unsigned char s[256]; int t = threadIdx.x;
  s[255 - t] = (unsigned char)in[t]; __syncthreads();
  out[t] = s[t]; }
extern "C" void solve(const float* in, unsigned char* out, int n) { k<<<1, 256>>>(in, out, n); }"""
    assert np.array_equal(result(source, 256, dtype="uint8"), VALUES[255::-1].astype(np.uint8))


def test_a_tiled_transpose_with_early_exits() -> None:
    source = """__global__ void k(const float* in, float* out, int rows, int cols) {
  __shared__ float s[16][17]; int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < cols && y < rows) s[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x; y = blockIdx.x * 16 + threadIdx.y;
  if (x >= rows || y >= cols) return;
  out[y * rows + x] = s[threadIdx.x][threadIdx.y]; }"""
    solve = SOLVE + "{ k<<<dim3(2, 3), dim3(16, 16)>>>(in, out, 40, 25); }"
    assert np.array_equal(result(source + solve, N).reshape(25, 40), VALUES.reshape(40, 25).T)


def test_threads_that_leave_before_a_barrier_do_not_count() -> None:
    source = """__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[256]; int t = threadIdx.x;
  if (t >= 200) return;
  s[t] = in[t]; __syncthreads(); out[t] = s[199 - t]; }"""
    assert np.array_equal(result(source + SOLVE + "{ k<<<1, 256>>>(in, out, n); }", 200), VALUES[199::-1])


def test_a_scan_in_two_buffers() -> None:
    source = """__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[2][1024]; int t = threadIdx.x, a = 0;
  s[0][t] = t < n ? in[t] : 0; __syncthreads();
  for (int d = 1; d < 1024; d <<= 1) {
    s[1 - a][t] = s[a][t] + (t >= d ? s[a][t - d] : 0); a = 1 - a; __syncthreads(); }
  if (t < n) out[t] = s[a][t]; }"""
    assert np.array_equal(result(source + SOLVE + "{ k<<<1, 1024>>>(in, out, n); }", N), np.cumsum(VALUES))


def test_a_warp_exchange_through_shared_memory_with_syncwarp() -> None:
    source = """__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64]; int t = threadIdx.x, w = t / 32 * 32;
  s[t] = in[t]; __syncwarp(); out[t] = s[w + 31 - t % 32]; }"""
    got = result(source + SOLVE + "{ k<<<1, 64>>>(in, out, n); }", 64)
    assert np.array_equal(got.reshape(2, 32), VALUES[:64].reshape(2, 32)[:, ::-1])


def test_a_lock_that_every_thread_takes_for_itself() -> None:
    source = """__device__ int lock; __device__ float total;
__global__ void k(const float* in, float* out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  bool done = i >= n;
  while (!done)
    if (atomicCAS(&lock, 0, 1) == 0) {
      total += in[i]; out[0] = total;
      __threadfence();
      atomicExch(&lock, 0);
      done = true; } }"""
    assert result(source + SOLVE + "{ k<<<(n + 63) / 64, 64>>>(in, out, n); }")[0] == TOTAL


def test_a_lock_in_global_memory() -> None:
    source = """__device__ int lock; __device__ float total;
__global__ void k(const float* in, float* out, int n) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) { }
    __threadfence();
    total += in[blockIdx.x]; out[0] = total;
    __threadfence();
    atomicExch(&lock, 0); } }"""
    assert result(source + SOLVE + "{ k<<<100, 32>>>(in, out, n); }")[0] == VALUES[:100].sum()


def test_a_search_whose_blocks_see_each_others_marks_early_or_late() -> None:
    """Level by level: it does not matter whether a mark of this level is seen already."""
    source = """__global__ void step(int* dist, int n, int level, int* changed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || dist[i] != level) return;
  int next = (i * 7 + 3) % n;
  if (dist[next] == -1) { dist[next] = level + 1; *changed = 1; } }
__global__ void start(int* dist, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dist[i] = i % 400 ? -1 : 0; }
extern "C" void solve(const float* in, int* out, int n) {
  int* changed; cudaMalloc(&changed, 4); start<<<16, 64>>>(out, n);
  for (int level = 0, more = 1; more; ++level) {
    cudaMemset(changed, 0, 4); step<<<16, 64>>>(out, n, level, changed);
    cudaMemcpy(&more, changed, 4, cudaMemcpyDeviceToHost); } }"""
    got = result(source, N, dtype="int32")
    expected = np.full(N, -1)
    expected[::400] = 0
    for level in range(N):
        here = np.flatnonzero(expected == level)
        there = (here * 7 + 3) % N
        expected[there[expected[there] == -1]] = level + 1
    assert np.array_equal(got, expected)


MEETINGS = {  # of lanes of a warp that are not together
    "the others end": "if (t < 8) { for (int d = 4; d; d /= 2) v += __shfl_down_sync(~0u, v, d); }",
    "the others have returned": (
        "if (t >= 20) return; __syncwarp(); v += __shfl_down_sync(~0u, v, 1); __syncthreads();"
    ),
    "on both sides of a branch": (
        "if (t < 16) { for (int d = 8; d; d /= 2) v += __shfl_xor_sync(~0u, v, d); }\n"
        "else { v = 1; for (int d = 8; d; d /= 2) v *= __shfl_xor_sync(~0u, v, d); }\n__syncthreads();"
    ),
    "twice, with a barrier between": (
        "for (int k = 0; k < 2; ++k) { if (t < 16) v += __any_sync(~0u, t == 3);\n"
        "else v -= __any_sync(~0u, t == 20); __syncthreads(); }"
    ),
    "in later rounds of a loop": (
        "for (int k = 0; k < 8; ++k) { if ((t + k) % 2) continue; v += __shfl_xor_sync(~0u, v, 2); }\n"
        "__syncthreads();"
    ),
    "after a vote of their own": (
        "if (t < 8) v += __shfl_xor_sync(~0u, v, 4);\n"
        "else { if (__any_sync(~0xffu, t == 9)) v *= 2; v += __shfl_xor_sync(~0u, v, 4); }\n__syncthreads();"
    ),
    "the mask of those there": (
        "if (t < 8) { s[t] += 1; __syncwarp(0xff); v = s[t ^ 1];\n"
        "v += __shfl_down_sync(0xff, v, 4); } __syncthreads();"
    ),
    "the lanes active": "if (t % 3) v += __popc(__activemask()); __syncthreads();",
}


@pytest.mark.parametrize("name", MEETINGS)
def test_lanes_that_meet_elsewhere_or_end_are_no_deadlock(name: str) -> None:
    source = (
        "__global__ void k(const float* in, float* out, int n) {\n"
        "__shared__ float s[32]; int t = threadIdx.x; float v = in[t]; s[t] = v; __syncwarp();\n"
        f"{MEETINGS[name]}\nout[t] = v; }}\n{SOLVE} {{ k<<<1, 32>>>(in, out, n); }}"
    )
    outcome = run(source, given("in", VALUES), wanted("out", 32), number("n", N))
    assert outcome.report is not None
    assert not [h for h in outcome.report.hazards if h.fatal], outcome.report.hazards
