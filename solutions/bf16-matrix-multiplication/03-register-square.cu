// 8x8 results per thread on the CUDA cores: tiles widened to float in shared memory, eight bfloat16 per load.
// As good as the fp32 ladder gets without tensor cores, and bound by the same arithmetic.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

constexpr int BM = 128, BN = 128, BK = 16, PAD = 4;
constexpr int THREADS = 256;

struct alignas(16) Eight {
    __nv_bfloat16 v[8];
};

// Eight neighbours of a row as floats, zeros outside; rows have a multiple of eight elements.
__device__ void load8(float* to, const __nv_bfloat16* matrix, int row, int col, int rows, int cols) {
    Eight e = {};
    if (row < rows && col < cols) {
        e = *reinterpret_cast<const Eight*>(matrix + (size_t)row * cols + col);
    }
    for (int j = 0; j < 8; ++j) {
        to[j] = __bfloat162float(e.v[j]);
    }
}

__device__ void copy4(float* to, const float* from) {
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
}

// N and K are multiples of eight.
__global__ void __launch_bounds__(THREADS, 2)
multiply(const __nv_bfloat16* __restrict__ A, const __nv_bfloat16* __restrict__ B, __nv_bfloat16* __restrict__ C,
         int M, int N, int K) {
    __shared__ __align__(16) float a_tile[BK][BM + PAD];  // transposed
    __shared__ __align__(16) float b_tile[BK][BN];
    int tid = threadIdx.x, row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    int a_row = tid / 2, a_k = tid % 2 * 8;                  // the eight numbers this thread loads from A
    int b_k = tid / 16, b_col = tid % 16 * 8;                // and from B
    int first_row = tid / 16 * 4, first_col = tid % 16 * 4;  // two quads of rows and of columns, 64 apart
    float sum[8][8] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        __align__(16) float a_in[8], b_in[8];
        load8(a_in, A, row0 + a_row, k0 + a_k, M, K);
        load8(b_in, B, k0 + b_k, col0 + b_col, K, N);
        for (int j = 0; j < 8; ++j) {
            a_tile[a_k + j][a_row] = a_in[j];
        }
        copy4(&b_tile[b_k][b_col], b_in);
        copy4(&b_tile[b_k][b_col + 4], b_in + 4);
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < BK; ++k) {
            __align__(16) float a[8], b[8];
            for (int q = 0; q < 2; ++q) {
                copy4(a + 4 * q, &a_tile[k][first_row + 64 * q]);
                copy4(b + 4 * q, &b_tile[k][first_col + 64 * q]);
            }
#pragma unroll
            for (int i = 0; i < 64; ++i) {
                sum[i / 8][i % 8] += a[i / 8] * b[i % 8];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 64; ++i) {
        int m = row0 + first_row + i / 8 % 4 + i / 32 * 64, n = col0 + first_col + i % 4 + i % 8 / 4 * 64;
        if (m < M && n < N) {
            C[(size_t)m * N + n] = __float2bfloat16(sum[i / 8][i % 8]);
        }
    }
}

// For all other sizes: 16x16 tiles on the CUDA cores.
__global__ void multiply_any(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    __shared__ float a_tile[16][16], b_tile[16][16];
    int x = threadIdx.x, y = threadIdx.y, m = blockIdx.y * 16 + y, n = blockIdx.x * 16 + x;
    float sum = 0.0f;
    for (int k = 0; k < K; k += 16) {
        a_tile[y][x] = m < M && k + x < K ? __bfloat162float(A[(size_t)m * K + k + x]) : 0.0f;
        b_tile[y][x] = k + y < K && n < N ? __bfloat162float(B[(size_t)(k + y) * N + n]) : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; ++i) {
            sum += a_tile[y][i] * b_tile[i][x];
        }
        __syncthreads();
    }
    if (m < M && n < N) {
        C[(size_t)m * N + n] = __float2bfloat16(sum);
    }
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    if (N % 8 == 0 && K % 8 == 0) {
        multiply<<<dim3((N + BN - 1) / BN, (M + BM - 1) / BM), THREADS>>>(A, B, C, M, N, K);
    } else {
        multiply_any<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
    }
    cudaDeviceSynchronize();
}
