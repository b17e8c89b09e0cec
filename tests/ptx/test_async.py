"""Asynchronous copies, barriers and pipelines of libcu++, from CUDA source to results."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tests.ptx.device import Simulated

ZFILL = r"""
#include <cuda_pipeline.h>
extern "C" __global__ void k(const float4* in, float4* out) {
    __shared__ float4 s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], in + t, 16);
    __pipeline_commit();
    __pipeline_memcpy_async(&s[1][t], in + 64 + t, 16, t % 4 * 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    out[t] = s[0][t];
    __pipeline_wait_prior(0);
    out[64 + t] = s[1][t];
}
"""


def test_copies_fill_the_rest_with_zeros() -> None:
    values = np.random.default_rng(1).standard_normal(512).astype(np.float32)
    out = np.ones(512, np.float32)
    Simulated(ZFILL).launch("k", 1, 64, values, out)
    want = values.copy().reshape(2, 64, 4)
    for t in range(64):
        want[1, t, 4 - t % 4 :] = 0
    np.testing.assert_array_equal(out, want.ravel())


def test_source_sizes_that_only_the_kernel_knows_and_end_inside_a_word() -> None:
    source = r"""
    extern "C" __global__ void k(const char* in, char* out, int odd) {
        __shared__ __align__(16) char s[512];
        int t = threadIdx.x;
        unsigned to = __cvta_generic_to_shared(s + 16 * t);
        int bytes = (t + odd) % 17;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;"
                     :: "r"(to), "l"(in + 16 * t), "r"(bytes));
        asm volatile("cp.async.wait_all;");
        for (int i = 0; i < 16; i++) out[16 * t + i] = s[16 * t + i];
    }"""
    values = np.random.default_rng(2).integers(1, 100, 512).astype(np.int8)
    out = np.full(512, -1, np.int8)
    Simulated(source).launch("k", 1, 32, values, out, np.int32(3))
    want = values.copy().reshape(32, 16)
    for t in range(32):
        want[t, (t + 3) % 17 :] = 0
    np.testing.assert_array_equal(out, want.ravel())


DOUBLE_BUFFER = r"""
extern "C" __global__ void k(const float* in, float* out, int tiles) {
    __shared__ __align__(16) float s[2][128];
    int t = threadIdx.x;
    float sum = 0;
    auto fetch = [&](int tile) {
        unsigned to = __cvta_generic_to_shared(&s[tile & 1][4 * t]);
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;"
                     :: "r"(to), "l"(in + tile * 128 + 4 * t));
        asm volatile("cp.async.commit_group;");
    };
    fetch(0);
    for (int i = 0; i < tiles; i++) {
        if (i + 1 < tiles) { fetch(i + 1); asm volatile("cp.async.wait_group 1;"); }
        else asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        for (int j = 0; j < 4; j++) sum += s[i & 1][(4 * t + 5 * j) % 128];
        __syncthreads();
    }
    out[t] = sum;
}
"""


def test_double_buffering() -> None:
    values = np.random.default_rng(3).integers(-9, 9, 5 * 128).astype(np.float32)
    out = np.zeros(32, np.float32)
    Simulated(DOUBLE_BUFFER).launch("k", 1, 32, values, out, np.int32(5))
    tiles = values.reshape(5, 128).sum(axis=0)
    want = [sum(tiles[(4 * t + 5 * j) % 128] for j in range(4)) for t in range(32)]
    np.testing.assert_array_equal(out, want)


LIBCUDACXX = """
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
"""


@cache
def libcudacxx() -> Simulated:
    """All kernels in one compile: the headers take NVRTC seconds."""
    return Simulated(LIBCUDACXX + BARRIER + PIPELINE + PRODUCER)


BARRIER = r"""
extern "C" __global__ void barrier(const int* in, int* out, int rounds) {
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ Barrier bar;
    __shared__ int s[256];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    int t = threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        s[t] = in[r * 256 + t];
        auto token = bar.arrive();
        bar.wait(std::move(token));
        out[r * 256 + t] = s[255 - t];
        bar.arrive_and_wait();
    }
    cuda::memcpy_async(s + t, in + t, sizeof(int), bar);
    bar.arrive_and_wait();
    out[rounds * 256 + t] = s[t ^ 1];
}
"""


def test_a_barrier_of_libcudacxx_orders_its_phases() -> None:
    values = np.random.default_rng(4).integers(0, 999, 3 * 256).astype(np.int32)
    out = np.zeros(4 * 256, np.int32)
    libcudacxx().launch("barrier", 1, 256, values, out, np.int32(3))
    want = np.concatenate([*values.reshape(3, 256)[:, ::-1], values[:256].reshape(-1, 2)[:, ::-1].ravel()])
    np.testing.assert_array_equal(out, want)


PIPELINE = r"""
extern "C" __global__ void pipeline(const int* in, int* out, int tiles) {
    __shared__ __align__(16) int s[2][256];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[0], in, sizeof(int) * 256, pipe);
    pipe.producer_commit();
    for (int i = 1; i <= tiles; i++) {
        if (i < tiles) {
            pipe.producer_acquire();
            cuda::aligned_size_t<16> bytes(sizeof(int) * 256);
            cuda::memcpy_async(block, s[i & 1], in + i * 256, bytes, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s[(i - 1) & 1][255 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
"""


def test_a_pipeline_of_libcudacxx_hands_over_its_stages() -> None:
    values = np.random.default_rng(5).integers(0, 999, 6 * 256).astype(np.int32)
    out = np.zeros(256, np.int32)
    libcudacxx().launch("pipeline", 1, 256, values, out, np.int32(6))
    np.testing.assert_array_equal(out, values.reshape(6, 256).sum(axis=0)[::-1])


BULK = r"""
extern "C" __global__ void k(const int* in, int* out, int n) {
    extern __shared__ __align__(128) int s[];
    __shared__ __align__(8) unsigned long long bar;
    unsigned b = __cvta_generic_to_shared(&bar), to = __cvta_generic_to_shared(s);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(b));
    if (threadIdx.x == 1) asm volatile("cp.async.bulk.prefetch.L2.global [%0], 16;" :: "l"(in));
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(b), "r"(4 * n));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     :: "r"(to), "l"(in), "r"(4 * n), "r"(b) : "memory");
    }
    asm volatile("{ .reg .pred p;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra again; }"
                 :: "r"(b) : "memory");
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[n - 1 - i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] += 1;
    asm volatile("fence.proxy.async;");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                     :: "l"(out + n), "r"(to), "r"(4 * n));
        asm volatile("cp.async.bulk.commit_group;");
        asm volatile("cp.async.bulk.wait_group 0;");
    }
}
"""


def test_bulk_copies_complete_their_barrier() -> None:
    n = 1000
    values = np.arange(n, dtype=np.int32)
    out = np.zeros(2 * n, np.int32)
    Simulated(BULK).launch("k", 1, 64, values, out, np.int32(n), shared=4 * n)
    np.testing.assert_array_equal(out, np.concatenate([values[::-1], values + 1]))


PRODUCER = r"""
    extern "C" __global__ void producer(int* out, int items) {
        using Barrier = cuda::barrier<cuda::thread_scope_block>;
        __shared__ Barrier full, empty;
        __shared__ int box[32];
        if (threadIdx.x == 0) { init(&full, blockDim.x); init(&empty, blockDim.x); }
        __syncthreads();
        int sum = 0;
        bool producer = threadIdx.x < 32;
        if (!producer) (void)empty.arrive();
        for (int i = 0; i < items; i++) {
            if (producer) {
                empty.arrive_and_wait();
                box[threadIdx.x] = i * threadIdx.x;
                (void)full.arrive();
            } else {
                full.arrive_and_wait();
                sum += box[threadIdx.x % 32];
                (void)empty.arrive();
            }
        }
        out[threadIdx.x] = sum;
    }"""


@pytest.mark.parametrize("threads", [32, 96])
def test_a_producer_warp_feeds_consumers_through_barriers(threads: int) -> None:
    out = np.zeros(threads, np.int32)
    libcudacxx().launch("producer", 1, threads, out, np.int32(5))
    want = [0] * 32 + [10 * (t % 32) for t in range(32, threads)]
    np.testing.assert_array_equal(out, want)
