// A block of 32x32 threads multiplies one 32x32 tile from shared memory: every number is fetched once. 1,024
// threads come and go for 12 KB of work, and two shared loads per multiply-add keep the arithmetic waiting.
#include <cuda_runtime.h>

constexpr int TILE = 32;

__global__ void multiply(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int BATCH,
                         int M, int N, int K) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, n = blockIdx.x * TILE + x, m = blockIdx.y * TILE + y;
    for (int batch = blockIdx.z; batch < BATCH; batch += gridDim.z) {
        const float* a = A + (size_t)batch * M * K;
        const float* b = B + (size_t)batch * K * N;
        float sum = 0.0f;
        for (int k0 = 0; k0 < K; k0 += TILE) {
            a_tile[y][x] = m < M && k0 + x < K ? a[m * K + k0 + x] : 0.0f;
            b_tile[y][x] = k0 + y < K && n < N ? b[(k0 + y) * N + n] : 0.0f;
            __syncthreads();
            for (int k = 0; k < TILE; ++k) {
                sum += a_tile[y][k] * b_tile[k][x];
            }
            __syncthreads();
        }
        if (m < M && n < N) {
            C[((size_t)batch * M + m) * N + n] = sum;
        }
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    dim3 blocks((N + TILE - 1) / TILE, (M + TILE - 1) / TILE, min(BATCH, 65535));
    multiply<<<blocks, dim3(TILE, TILE)>>>(A, B, C, BATCH, M, N, K);
    cudaDeviceSynchronize();
}
