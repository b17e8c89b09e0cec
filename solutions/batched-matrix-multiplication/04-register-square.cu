// 64 threads per 32x32 matrix, 4x4 results each, from shared memory that was filled with cp.async: 64 multiply-adds for
// eight 128-bit loads. Two matrices a block, many blocks a multiprocessor: some load while others multiply.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int MATRICES = 2, PITCH = 36;  // rows of A are padded, so that four of them lie in different banks

__device__ void copy4(float* to, const float* from) {
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
}

__global__ void __launch_bounds__(MATRICES * 64)
multiply32(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int BATCH) {
    __shared__ __align__(16) float a_tile[MATRICES][32][PITCH];
    __shared__ __align__(16) float b_tile[MATRICES][32][32];
    int which = threadIdx.x / 64, thread = threadIdx.x % 64, batch = blockIdx.x * MATRICES + which;
    size_t first = (size_t)min(batch, BATCH - 1) * 1024;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        int row = thread / 8 + i * 8, col = thread % 8 * 4;
        __pipeline_memcpy_async(&a_tile[which][row][col], A + first + row * 32 + col, 16);
        __pipeline_memcpy_async(&b_tile[which][row][col], B + first + row * 32 + col, 16);
    }
    // Rows m, m + 8, m + 16 and m + 24, columns n to n + 3. Of neighbouring lanes one pair shares its rows and the
    // next its columns: such twins are served once.
    int m = (thread >> 1 & 1) | (thread >> 3 & 6), n = ((thread & 1) | (thread >> 1 & 6)) * 4;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    __align__(16) float sum[4][4] = {}, a[4][4], b[4][4];
#pragma unroll
    for (int k = 0; k < 32; k += 4) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            copy4(a[i], &a_tile[which][m + i * 8][k]);
            copy4(b[i], &b_tile[which][k + i][n]);
        }
#pragma unroll
        for (int i = 0; i < 64; ++i) {
            sum[i / 4 % 4][i % 4] += a[i / 4 % 4][i / 16] * b[i / 16][i % 4];
        }
    }
    if (batch < BATCH) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            float4* to = reinterpret_cast<float4*>(C + first + (m + i * 8) * 32 + n);
            __stcg(to, make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]));
        }
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
        multiply32<<<(BATCH + MATRICES - 1) / MATRICES, MATRICES * 64>>>(A, B, C, BATCH);
    } else {
        dim3 blocks((N + 15) / 16, (M + 15) / 16, min(BATCH, 65535));
        multiply_any<<<blocks, dim3(16, 16)>>>(A, B, C, BATCH, M, N, K);
    }
    cudaDeviceSynchronize();
}
