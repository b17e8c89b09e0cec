// Two stages of asynchronous copies. -> accepted
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
constexpr int T = 16;
__global__ void mm(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a[2][T][T], b[2][T][T];
    int ty = threadIdx.y, tx = threadIdx.x, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    auto fetch = [&](int s, int k0) {
        if (row < M && k0 + tx < N)
            __pipeline_memcpy_async(&a[s][ty][tx], &A[row * N + k0 + tx], 4);
        else
            a[s][ty][tx] = 0;
        if (col < K && k0 + ty < N)
            __pipeline_memcpy_async(&b[s][ty][tx], &B[(k0 + ty) * K + col], 4);
        else
            b[s][ty][tx] = 0;
        __pipeline_commit();
    };
    int tiles = (N + T - 1) / T;
    float acc = 0;
    fetch(0, 0);
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            fetch((t + 1) & 1, (t + 1) * T);
            __pipeline_wait_prior(1);
        } else
            __pipeline_wait_prior(0);
        __syncthreads();
        for (int k = 0; k < T; ++k) acc += a[t & 1][ty][k] * b[t & 1][k][tx];
        __syncthreads();
    }
    if (row < M && col < K) C[row * K + col] = acc;
}
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    mm<<<dim3((K + T - 1) / T, (M + T - 1) / T), dim3(T, T)>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
