"""Tensor cores, asynchronous copies and cooperative groups under full observation: no false alarms."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ptx import test_async as asynchronous
from tests.ptx import test_cooperative as cooperative
from tests.ptx import test_matrix as matrix
from tests.sim.submissions import given, number, run, wanted
from trainer.grade.backend import RunOutcome
from trainer.sim.report import Access, HazardKind

HALVES = r"""
__global__ void narrow(const float* x, half* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2half(x[i]);
}
extern "C" void solve(const float* A, const float* B, float* C, int n) {
    half *a, *b;
    cudaMalloc(&a, n * n * 2);
    cudaMalloc(&b, n * n * 2);
    narrow<<<(n * n + 255) / 256, 256>>>(A, a, n * n);
    narrow<<<(n * n + 255) / 256, 256>>>(B, b, n * n);
    LAUNCH
}
"""


def inner(source: str) -> str:
    """The kernel of an engine test, no longer the entry."""
    return source.replace('extern "C" __global__', "__global__")


def clean(outcome: RunOutcome) -> RunOutcome:
    assert outcome.verdict is None, outcome.message
    assert outcome.report is not None
    assert [h for h in outcome.report.hazards if h.fatal] == []
    return outcome


def product(source: str, launch: str) -> tuple[RunOutcome, np.ndarray, np.ndarray]:
    a = (np.random.default_rng(1).integers(-8, 9, (64, 64)) / 4).astype(np.float32)
    whole = inner(source) + HALVES.replace("LAUNCH", launch)
    outcome = clean(
        run(whole, given("A", a.ravel()), given("B", a.ravel()), wanted("C", 64 * 64), number("n", 64))
    )
    return outcome, outcome.outputs["C"].reshape(64, 64), a @ a


def rows(outcome: RunOutcome, text: str) -> list[Access]:
    assert outcome.report is not None
    return [r for r in outcome.report.access if text in r.source]


def test_a_wmma_gemm_is_counted_in_the_words_and_pairs_that_the_hardware_moves() -> None:
    outcome, got, want = product(matrix.GEMM, "k<<<dim3(n / 16, n / 16), 32>>>(a, b, C, n, n, n);")
    np.testing.assert_array_equal(got, 2 * want + 1)
    (load,) = rows(outcome, "load_matrix_sync(a")
    (store,) = rows(outcome, "store_matrix_sync")
    tiles = 4 * 4
    assert (load.op, load.bytes_per_lane, load.requests, load.sectors) == (
        "load",
        4,
        tiles * 4 * 4,
        tiles * 4 * 32,
    )
    assert (store.op, store.bytes_per_lane, store.requests, store.sectors) == (
        "store",
        8,
        tiles * 4,
        tiles * 32,
    )


def test_an_mma_gemm_with_ldmatrix_is_counted_by_matrices() -> None:
    outcome, got, want = product(matrix.MMA_GEMM, "k<<<dim3(n / 8, n / 16), 32>>>(a, b, C, n, n);")
    np.testing.assert_array_equal(got, want)
    (load,) = rows(outcome, "ldmatrix.sync.aligned.m8n8.x4")
    steps = 8 * 4 * 4
    # Rows of 32 bytes: the eight rows of a matrix fall on half of the banks.
    assert (load.op, load.requests, load.wavefronts) == ("ldmatrix", steps, steps * 8)


def test_absent_lanes_are_named_with_those_that_read_from_them_and_told_a_few_times_only() -> None:
    source = """__global__ void k(const float* in, float* out, int n) {
  int t = threadIdx.x; float v = in[t];
  if (t < 8) v += __shfl_down_sync(0xffffffff, v, 4);
  out[t] = v; }
extern "C" void solve(const float* in, float* out, int n) { k<<<500, 64>>>(in, out, n); }"""
    values = np.arange(64, dtype=np.float32)
    outcome = clean(run(source, given("in", values), wanted("out", 64), number("n", 64)))
    assert outcome.report is not None
    (hazard,) = outcome.report.hazards
    assert (hazard.line, hazard.fatal) == (3, False)
    assert hazard.count <= 8
    assert hazard.message == (
        "thread (0, 0, 0) of block (0, 0, 0) takes part in __shfl_down_sync, whose mask also names lanes "
        "8-31: not there; lanes 4-7 read from there"
    )


def test_a_matrix_product_by_part_of_a_warp_is_told() -> None:
    launch = "k<<<dim3(n / 16, n / 16), 24>>>(a, b, C, n, n, n);"
    outcome, _, _ = product(matrix.GEMM, launch)
    assert outcome.report is not None
    assert {h.kind for h in outcome.report.hazards} == {HazardKind.ABSENT_LANE}
    assert any("lanes 24-31" in h.message for h in outcome.report.hazards)


WHOLE_NUMBERS = 'extern "C" void solve(const int* in, int* out, int n) { LAUNCH }'
KERNELS = {
    "double buffer": (
        asynchronous.DOUBLE_BUFFER.replace("float", "int"),
        "k<<<1, 32>>>(in, out, n);",
        5 * 128,
        32,
        5,
    ),
    "barrier": (
        asynchronous.LIBCUDACXX + asynchronous.BARRIER,
        "barrier<<<1, 256>>>(in, out, n);",
        3 * 256,
        4 * 256,
        3,
    ),
    "pipeline": (
        asynchronous.LIBCUDACXX + asynchronous.PIPELINE,
        "pipeline<<<1, 256>>>(in, out, n);",
        6 * 256,
        256,
        6,
    ),
    "bulk copy": (asynchronous.BULK, "k<<<1, 64, 4 * n>>>(in, out, n);", 1000, 2000, 1000),
}


@pytest.mark.parametrize("name", KERNELS)
def test_asynchronous_kernels_are_clean(name: str) -> None:
    source, launch, size, elements, n = KERNELS[name]
    values = np.random.default_rng(2).integers(0, 99, size).astype(np.int32)
    whole = inner(source) + WHOLE_NUMBERS.replace("LAUNCH", launch)
    clean(run(whole, given("in", values), wanted("out", elements, "int32"), number("n", n)))


def test_a_reduction_through_tiles_is_clean() -> None:
    values = np.random.default_rng(3).integers(-50, 50, 5003).astype(np.float32)
    solve = 'extern "C" void solve(const float* in, float* out, int n) { reduction<<<3, 128>>>(in, out, n); }'
    outcome = run(
        inner(cooperative.HEAD + cooperative.REDUCTION) + solve,
        given("in", values),
        wanted("out", 1, zeroed=True),
        number("n", 5003),
    )
    assert clean(outcome).outputs["out"][0] == values.sum()


def test_a_grid_that_synchronises_itself_is_clean() -> None:
    solve = r"""
    __global__ void copy(const int* a, int* b, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) b[i] = a[i];
    }
    extern "C" void solve(const int* in, int* out, int n) {
        int* own;
        cudaMalloc(&own, 4 * n);
        copy<<<4, 256>>>(in, own, n);
        void* arguments[] = {&own, &out, &n};
        cudaLaunchCooperativeKernel((void*)grid, dim3(8), dim3(64), arguments, 0, 0);
    }"""
    values = np.arange(1000, dtype=np.int32)
    outcome = clean(
        run(
            inner(cooperative.HEAD + cooperative.GRID) + solve,
            given("in", values),
            wanted("out", 1000, "int32"),
            number("n", 1000),
        )
    )
    want = values[::-1] + 1
    np.testing.assert_array_equal(outcome.outputs["out"][1:], want[1:])


def test_a_grid_that_is_not_launched_together_traps_as_on_a_gpu() -> None:
    solve = 'extern "C" void solve(int* in, int* out, int n) { grid<<<8, 64>>>(in, out, n); }'
    values = np.arange(1000, dtype=np.int32)
    outcome = run(
        inner(cooperative.HEAD + cooperative.GRID) + solve,
        given("in", values),
        wanted("out", 1000, "int32"),
        number("n", 1000),
    )
    assert outcome.verdict is not None
    assert "trap" in outcome.message
    assert "cudaLaunchCooperativeKernel" in outcome.hint
