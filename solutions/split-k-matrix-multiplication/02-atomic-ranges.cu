// The inner dimension is cut into ranges of 512, and blockIdx.z picks one: 128 times as many blocks. Each adds its
// part of the sums to C with atomicAdd, in an order that changes from call to call.
#include <cuda_runtime.h>

constexpr int TILE = 32, RANGE = 512;

__global__ void multiply(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                         int K) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, n = blockIdx.x * TILE + x, m = blockIdx.y * TILE + y;
    int first = blockIdx.z * RANGE, end = min(K, first + RANGE);
    float sum = 0.0f;
    for (int k0 = first; k0 < end; k0 += TILE) {
        a_tile[y][x] = m < M && k0 + x < end ? A[(size_t)m * K + k0 + x] : 0.0f;
        b_tile[y][x] = k0 + y < end && n < N ? B[(size_t)(k0 + y) * N + n] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            sum += a_tile[y][k] * b_tile[k][x];
        }
        __syncthreads();
    }
    if (m < M && n < N) {
        atomicAdd(&C[(size_t)m * N + n], sum);
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 blocks((N + TILE - 1) / TILE, (M + TILE - 1) / TILE, (K + RANGE - 1) / RANGE);
    cudaMemset(C, 0, (size_t)M * N * sizeof(float));
    multiply<<<blocks, dim3(TILE, TILE)>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
