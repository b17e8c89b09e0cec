// Tiles of 32 x 32 pass through shared memory as ints, their zero points subtracted on the way: each byte is
// loaded once per 32 threads that need it, and the inner loop has nothing left but loads and multiply-adds.
#include <cuda_runtime.h>

__device__ signed char quantized(int sum, float scale, int zero_point) {
    float x = fminf(fmaxf(static_cast<float>(sum) * scale, -300.0f), 300.0f);  // what an int surely holds
    return static_cast<signed char>(min(max(__float2int_rn(x) + zero_point, -128), 127));
}

constexpr int TILE = 32;

__global__ void multiply(const signed char* A, const signed char* B, signed char* C, int M, int N, int K,
                         float scale, int za, int zb, int zc) {
    __shared__ int tile_A[TILE][TILE], tile_B[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int m = blockIdx.y * TILE + y, n = blockIdx.x * TILE + x;
    int sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        tile_A[y][x] = m < M && k0 + x < K ? A[(size_t)m * K + k0 + x] - za : 0;
        tile_B[y][x] = n < N && k0 + y < K ? B[(size_t)(k0 + y) * N + n] - zb : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) {
            sum += tile_A[y][k] * tile_B[k][x];
        }
        __syncthreads();
    }
    if (m < M && n < N) {
        C[(size_t)m * N + n] = quantized(sum, scale, zc);
    }
}

extern "C" void solve(const signed char* A, const signed char* B, signed char* C, int M, int N, int K,
                      float scale_A, float scale_B, float scale_C, int zero_point_A, int zero_point_B,
                      int zero_point_C) {
    dim3 blocks((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    multiply<<<blocks, dim3(TILE, TILE)>>>(A, B, C, M, N, K, scale_A * scale_B / scale_C, zero_point_A,
                                           zero_point_B, zero_point_C);
    cudaDeviceSynchronize();
}
