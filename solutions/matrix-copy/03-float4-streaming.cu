// Two float4 per thread, both loads issued before the first store, with evict-first hints on either side:
// a copy reads and writes everything once, so nothing deserves a place in the cache.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void copy(const float* __restrict__ A, float* __restrict__ B, size_t count) {
    const float4* A4 = reinterpret_cast<const float4*>(A);
    float4* B4 = reinterpret_cast<float4*>(B);
    size_t quads = count / 4;
    size_t i = (size_t)blockIdx.x * (2 * THREADS) + threadIdx.x;
    size_t j = i + THREADS;
    if (j < quads) {
        float4 first = __ldcs(A4 + i);
        float4 second = __ldcs(A4 + j);
        __stcs(B4 + i, first);
        __stcs(B4 + j, second);
    } else if (i < quads) {  // only in the last block
        __stcs(B4 + i, __ldcs(A4 + i));
    }
    size_t tail = quads * 4 + threadIdx.x;
    if (blockIdx.x == 0 && tail < count) {
        B[tail] = A[tail];
    }
}

extern "C" void solve(const float* A, float* B, int N) {
    size_t count = (size_t)N * N;
    size_t per_block = THREADS * 8;
    copy<<<(unsigned)((count + per_block - 1) / per_block), THREADS>>>(A, B, count);
    cudaDeviceSynchronize();
}
