// Two float4 per array are requested before the first is used: 64 bytes in flight per thread.
// Nothing is read twice, so streaming hints (evict first) keep the caches from holding on to it.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int UNROLL = 2;

__device__ float4 sum(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void add_stream(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int N) {
    const float4* A4 = reinterpret_cast<const float4*>(A);
    const float4* B4 = reinterpret_cast<const float4*>(B);
    float4* C4 = reinterpret_cast<float4*>(C);
    int quads = N / 4;
    int i = blockIdx.x * (THREADS * UNROLL) + threadIdx.x;
    int j = i + THREADS;
    if (j < quads) {
        float4 a0 = __ldcs(A4 + i), a1 = __ldcs(A4 + j);
        float4 b0 = __ldcs(B4 + i), b1 = __ldcs(B4 + j);
        __stcs(C4 + i, sum(a0, b0));
        __stcs(C4 + j, sum(a1, b1));
    } else if (i < quads) {  // only in the last block
        __stcs(C4 + i, sum(__ldcs(A4 + i), __ldcs(B4 + i)));
    }
    int tail = quads * 4 + threadIdx.x;
    if (blockIdx.x == 0 && tail < N) {  // the one to three elements left over
        C[tail] = A[tail] + B[tail];
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    int per_block = THREADS * UNROLL * 4;
    add_stream<<<(N + per_block - 1) / per_block, THREADS>>>(A, B, C, N);
    cudaDeviceSynchronize();
}
