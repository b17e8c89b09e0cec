// 4x4 results per thread on 64x64 tiles, and no atomics: every block leaves its part of the sums in scratch memory, and
// a second kernel adds the parts up. The ranges are as many as give each multiprocessor four blocks.
#include <cuda_runtime.h>

constexpr int TILE = 64, STEP = 16;

__global__ void __launch_bounds__(256)
multiply(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ parts, int M, int N, int K,
         int range) {
    __shared__ __align__(16) float a_tile[STEP][TILE + 4];  // transposed
    __shared__ __align__(16) float b_tile[STEP][TILE];
    int tid = threadIdx.x, row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    int first = blockIdx.z * range, end = min(K, first + range), row = tid / 16 * 4, col = tid % 16 * 4;
    float sum[4][4] = {};
    for (int k0 = first; k0 < end; k0 += STEP) {
        for (int i = tid; i < TILE * STEP; i += 256) {
            int m = row0 + i / STEP, k = k0 + i % STEP;
            a_tile[i % STEP][i / STEP] = m < M && k < end ? A[(size_t)m * K + k] : 0.0f;
        }
        for (int i = tid; i < TILE * STEP; i += 256) {
            int k = k0 + i / TILE, n = col0 + i % TILE;
            b_tile[i / TILE][i % TILE] = k < end && n < N ? B[(size_t)k * N + n] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < STEP; ++k) {
            float4 a = *reinterpret_cast<float4*>(&a_tile[k][row]), b = *reinterpret_cast<float4*>(&b_tile[k][col]);
            const float x[4] = {a.x, a.y, a.z, a.w}, y[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
            for (int i = 0; i < 16; ++i) {
                sum[i / 4][i % 4] += x[i / 4] * y[i % 4];
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 16; ++i) {
        int m = row0 + row + i / 4, n = col0 + col + i % 4;
        if (m < M && n < N) {
            parts[((size_t)blockIdx.z * M + m) * N + n] = sum[i / 4][i % 4];
        }
    }
}

// C[i] is the sum of all parts of it, always in the same order.
__global__ void add_parts(const float* __restrict__ parts, float* __restrict__ C, int count, int ranges) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        float sum = 0.0f;
        for (int r = 0; r < ranges; ++r) {
            sum += parts[(size_t)r * count + i];
        }
        C[i] = sum;
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    int multiprocessors = 0, tiles_m = (M + TILE - 1) / TILE, tiles_n = (N + TILE - 1) / TILE;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    int ranges = max(1, min(4 * multiprocessors / (tiles_m * tiles_n), (K + 127) / 128));
    int range = ((K + ranges - 1) / ranges + STEP - 1) / STEP * STEP;
    ranges = (K + range - 1) / range;
    float* parts;
    cudaMalloc(&parts, (size_t)ranges * M * N * sizeof(float));
    multiply<<<dim3(tiles_n, tiles_m, ranges), 256>>>(A, B, parts, M, N, K, range);
    add_parts<<<(M * N + 255) / 256, 256>>>(parts, C, M * N, ranges);
    cudaFree(parts);
    cudaDeviceSynchronize();
}
