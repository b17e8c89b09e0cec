// A warp per 32x32 matrix, without shared memory or barriers: lane n keeps column n of B in 32 registers and computes
// column n of C. A row of A is read by all lanes at once, four numbers per load. Other sizes take a plain kernel.
#include <cuda_runtime.h>

constexpr int WARPS = 4;

__global__ void __launch_bounds__(WARPS * 32)
multiply32(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int BATCH) {
    int lane = threadIdx.x % 32, batch = blockIdx.x * WARPS + threadIdx.x / 32;
    if (batch >= BATCH) {
        return;
    }
    A += (size_t)batch * 1024, B += (size_t)batch * 1024, C += (size_t)batch * 1024;
    float b[32];
#pragma unroll
    for (int k = 0; k < 32; ++k) {
        b[k] = B[k * 32 + lane];
    }
#pragma unroll 4
    for (int m = 0; m < 32; ++m) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < 32; k += 4) {
            float4 a = *reinterpret_cast<const float4*>(A + m * 32 + k);  // one address for the whole warp
            sum += a.x * b[k];
            sum += a.y * b[k + 1];
            sum += a.z * b[k + 2];
            sum += a.w * b[k + 3];
        }
        C[m * 32 + lane] = sum;
    }
}

// For all other sizes: a block per 16x16 tile.
__global__ void multiply_any(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    __shared__ float a_tile[16][16], b_tile[16][16];
    int x = threadIdx.x, y = threadIdx.y, n = blockIdx.x * 16 + x, m = blockIdx.y * 16 + y;
    for (int batch = blockIdx.z; batch < BATCH; batch += gridDim.z) {
        const float *a = A + (size_t)batch * M * K, *b = B + (size_t)batch * K * N;
        float sum = 0.0f;
        for (int k0 = 0; k0 < K; k0 += 16) {
            a_tile[y][x] = m < M && k0 + x < K ? a[m * K + k0 + x] : 0.0f;
            b_tile[y][x] = k0 + y < K && n < N ? b[(k0 + y) * N + n] : 0.0f;
            __syncthreads();
            for (int k = 0; k < 16; ++k) {
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
    if (M == 32 && N == 32 && K == 32) {
        multiply32<<<(BATCH + WARPS - 1) / WARPS, WARPS * 32>>>(A, B, C, BATCH);
    } else {
        dim3 blocks((N + 15) / 16, (M + 15) / 16, min(BATCH, 65535));
        multiply_any<<<blocks, dim3(16, 16)>>>(A, B, C, BATCH, M, N, K);
    }
    cudaDeviceSynchronize();
}
