"""Device-wide CUB and Thrust mean what NVIDIA's mean."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.cuda.engine_device import EngineDevice
from trainer.cuda.compile import compile_submission
from trainer.cuda.host import run_host
from trainer.cuda.model import Parameter, Program, Signature

SIZES = (1, 2, 255, 256, 257, 1000)
_CUB = """#include <cub/cub.cuh>
struct Positive { __device__ bool operator()(float x) const { return x > 0; } };
struct Larger { __device__ float operator()(float a, float b) const { return a > b ? a : b; } };
#define TWICE(call) { void* t = nullptr; size_t z = 0; call; cudaMalloc(&t, z); call; cudaFree(t); }
"""
_THRUST = "".join(
    f"#include <thrust/{h}.h>\n"
    for h in "device_vector host_vector sort reduce scan transform transform_reduce extrema copy fill count"
    " sequence inner_product execution_policy functional device_ptr".split()
)
_THRUST += "struct Square { __host__ __device__ float operator()(float x) const { return x * x; } };\n"
_THRUST += "struct Positive { __host__ __device__ bool operator()(float x) const { return x > 0; } };\n"


def run(
    head: str, body: str, data: NDArray[np.generic], size: int, dtype: str = "float32", ctype: str = "float"
) -> NDArray[np.generic]:
    """Calls `solve(const ctype* a, float|int* b, int n)` and returns `size` elements of b."""
    program = build(head, body, ctype, "int" if dtype == "int32" else "float")
    device = EngineDevice(program)
    a, b = device.allocate(data.nbytes), device.allocate(4 * max(size, 1))
    device.write(a, data.tobytes())
    run_host(program, device, [a, b, len(data)])
    return np.frombuffer(device.read(b, 4 * size), dtype=dtype)


@cache
def build(head: str, body: str, ctype: str, out: str) -> Program:
    task = Signature(
        "solve", (Parameter("a", f"const {ctype}*"), Parameter("b", f"{out}*"), Parameter("n", "int"))
    )
    source = f"{head}void solve(const {ctype}* a, {out}* b, int n) {{ {body} }}\n"
    return compile_submission(source, task)


def numbers(n: int, seed: int = 1) -> NDArray[np.float32]:
    """Small integers as floats: every order of additions gives the same sum."""
    return np.random.default_rng(seed).integers(-50, 50, n).astype(np.float32)


@pytest.mark.parametrize("n", SIZES)
def test_cub_reduces(n: int) -> None:
    data = numbers(n)
    body = (
        "TWICE(cub::DeviceReduce::Sum(t, z, a, b, n)); TWICE(cub::DeviceReduce::Max(t, z, a, b + 1, n));"
        "TWICE(cub::DeviceReduce::Min(t, z, a, b + 2, n));"
        "TWICE(cub::DeviceReduce::Reduce(t, z, a, b + 3, n, Larger(), 7.0f));"
    )
    assert run(_CUB, body, data, 4).tolist() == [data.sum(), data.max(), data.min(), max(data.max(), 7)]


@pytest.mark.parametrize("n", SIZES)
def test_cub_scans(n: int) -> None:
    data = numbers(n)
    body = (
        "TWICE(cub::DeviceScan::InclusiveSum(t, z, a, b, n));"
        "TWICE(cub::DeviceScan::ExclusiveSum(t, z, a, b + n, n));"
        "TWICE(cub::DeviceScan::InclusiveScan(t, z, a, b + 2 * n, Larger(), n));"
    )
    inclusive, exclusive, largest = run(_CUB, body, data, 3 * n).reshape(3, n)
    assert np.array_equal(inclusive, np.cumsum(data))
    assert np.array_equal(exclusive, np.cumsum(data) - data)
    assert np.array_equal(largest, np.maximum.accumulate(data))


@pytest.mark.parametrize("n", SIZES)
def test_cub_sorts_floats_both_ways(n: int) -> None:
    data = np.random.default_rng(n).standard_normal(n).astype(np.float32)
    body = (
        "TWICE(cub::DeviceRadixSort::SortKeys(t, z, a, b, n));"
        "TWICE(cub::DeviceRadixSort::SortKeysDescending(t, z, a, b + n, n));"
    )
    up, down = run(_CUB, body, data, 2 * n).reshape(2, n)
    assert np.array_equal(up, np.sort(data)) and np.array_equal(down, np.sort(data)[::-1])


def test_cub_sorts_pairs_stably_on_the_bits_it_is_given() -> None:
    data = np.random.default_rng(3).integers(0, 1 << 16, 600).astype(np.int32)
    body = (
        "unsigned *k; int *v, *w; cudaMalloc(&k, 4 * n); cudaMalloc(&v, 4 * n); int* h = (int*)malloc(4 * n);"
        "for (int i = 0; i < n; ++i) h[i] = i; cudaMemcpy(v, h, 4 * n, cudaMemcpyHostToDevice);"
        "TWICE(cub::DeviceRadixSort::SortPairs(t, z, (const unsigned*)a, k, v, b, n, 4, 8));"
    )
    order = run(_CUB, body, data, 600, "int32", "int")
    assert np.array_equal(order, np.argsort(data >> 4 & 15, kind="stable"))


def test_cub_sorts_a_double_buffer() -> None:
    data = np.random.default_rng(4).integers(-1000, 1000, 777).astype(np.int32)
    body = (
        "int *x, *y; cudaMalloc(&x, 4 * n); cudaMalloc(&y, 4 * n);"
        "cudaMemcpy(x, a, 4 * n, cudaMemcpyDeviceToDevice);"
        "cub::DoubleBuffer<int> d(x, y); TWICE(cub::DeviceRadixSort::SortKeys(t, z, d, n));"
        "cudaMemcpy(b, d.Current(), 4 * n, cudaMemcpyDeviceToDevice);"
    )
    assert np.array_equal(run(_CUB, body, data, 777, "int32", "int"), np.sort(data))


def test_cub_counts_a_histogram() -> None:
    data = np.random.default_rng(5).uniform(-0.5, 1.5, 900).astype(np.float32)
    body = "TWICE(cub::DeviceHistogram::HistogramEven(t, z, a, b, 11, 0.0f, 1.0f, n));"
    counts = run(_CUB, body, data, 10, "int32")
    assert counts.sum() == np.count_nonzero((data >= 0) & (data < 1))
    assert np.abs(counts - np.histogram(data, 10, (0, 1))[0]).max() <= 1


@pytest.mark.parametrize("n", SIZES)
def test_cub_selects_in_order(n: int) -> None:
    data = numbers(n)
    kept = data[data > 0]
    body = "int* c; cudaMalloc(&c, 4); TWICE(cub::DeviceSelect::If(t, z, a, b, c, n, Positive()));"
    body += "int h; cudaMemcpy(&h, c, 4, cudaMemcpyDeviceToHost); float f = h;"
    body += "cudaMemcpy(b + n, &f, 4, cudaMemcpyHostToDevice);"
    out = run(_CUB, body, data, n + 1)
    assert out[n] == len(kept) and np.array_equal(out[: len(kept)], kept)


@pytest.mark.parametrize("n", SIZES)
def test_thrust_sorts_raw_and_wrapped_pointers(n: int) -> None:
    data = np.random.default_rng(n).standard_normal(n).astype(np.float32)
    body = (
        "thrust::device_vector<float> v(a, a + n); thrust::sort(v.begin(), v.end());"
        "thrust::copy(v.begin(), v.end(), thrust::device_pointer_cast(b));"
        "cudaMemcpy(b + n, a, 4 * n, cudaMemcpyDeviceToDevice);"
        "thrust::sort(thrust::device, b + n, b + 2 * n, thrust::greater<float>());"
    )
    up, down = run(_THRUST, body, data, 2 * n).reshape(2, n)
    assert np.array_equal(up, np.sort(data)) and np.array_equal(down, np.sort(data)[::-1])


def test_thrust_reduces_transforms_scans_and_counts() -> None:
    data = numbers(999)
    body = (
        "thrust::device_ptr<const float> p(a); thrust::device_ptr<float> q(b); float* s = b + 2 * n;"
        "thrust::transform(p, p + n, q, Square()); thrust::inclusive_scan(thrust::device, a, a + n, b + n);"
        "float r[7] = {thrust::reduce(p, p + n), thrust::reduce(p, p + n, 5.0f, thrust::maximum<float>()),"
        "thrust::transform_reduce(p, p + n, Square(), 1.0f, thrust::plus<float>()),"
        "thrust::inner_product(p, p + n, q, 0.0f), (float)thrust::count_if(p, p + n, Positive()),"
        "(float)(thrust::max_element(p, p + n) - p), (float)thrust::count(p, p + n, 3.0f)};"
        "cudaMemcpy(s, r, 28, cudaMemcpyHostToDevice);"
    )
    out = run(_THRUST, body, data, 2 * 999 + 7)
    assert np.array_equal(out[:999], data**2) and np.array_equal(out[999:1998], np.cumsum(data))
    expected = [data.sum(), data.max(), 1 + (data**2).sum(), (data**3).sum(), (data > 0).sum(), data.argmax()]
    assert out[1998:].tolist() == [*map(float, expected), float((data == 3).sum())]


def test_thrust_vectors_hold_and_move_elements() -> None:
    body = (
        "thrust::host_vector<float> h(4); for (int i = 0; i < 4; ++i) h[i] = i;"
        "thrust::device_vector<float> d = h;"
        "d[2] = d[1] + 40.0f; thrust::device_vector<float> e(3, 7.0f); thrust::sequence(e.begin(), e.end());"
        "thrust::fill(e.begin() + 2, e.end(), 9.0f); h = d;"
        "float r[8] = {h[2], (float)d.size(), e[0], e[1], e[2], (float)e.size(), d[3], 0};"
        "cudaMemcpy(b, r, 32, cudaMemcpyHostToDevice);"
    )
    assert run(_THRUST, body, numbers(1), 8).tolist() == [41, 4, 0, 1, 9, 3, 3, 0]


def test_algorithms_of_thrust_on_host_memory_run_on_the_host() -> None:
    body = "thrust::host_vector<float> h(3); h[0] = 3; h[1] = 1; h[2] = 2; thrust::sort(h.begin(), h.end());"
    body += "cudaMemcpy(b, h.data(), 12, cudaMemcpyHostToDevice);"
    assert run(_THRUST, body, numbers(1), 3).tolist() == [1, 2, 3]


def test_the_iterator_that_older_cub_headers_name_leads_to_no_other_part_of_thrust() -> None:
    head = (
        "#include <thrust/iterator/discard_iterator.h>\n#include <thrust/iterator/counting_iterator.h>\n"
        "#include <type_traits>\nstatic_assert(std::is_void_v<thrust::discard_iterator<>::value_type>);\n"
    )
    body = "thrust::counting_iterator<int> i(3); float x = *i; cudaMemcpy(b, &x, 4, cudaMemcpyHostToDevice);"
    assert run(head, body, numbers(1), 1).tolist() == [3]
