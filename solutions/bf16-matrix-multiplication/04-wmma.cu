// Tensor cores through nvcuda::wmma: a warp multiplies 16x16x16 fragments, 2x2 of them at a time, out of
// shared tiles whose rows are padded by 16 bytes. Results pass through shared memory to be rounded.
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 64, BN = 64, BK = 32;  // four warps, 32x32 each
constexpr int THREADS = 128;
constexpr int A_PITCH = BK + 8, B_PITCH = BN + 8, C_PITCH = BN + 4;

struct alignas(16) Eight {
    __nv_bfloat16 v[8];
};

// Copies eight neighbours of a row to shared memory; zeros outside.
__device__ void copy8(__nv_bfloat16* to, const __nv_bfloat16* matrix, int row, int col, int rows, int cols) {
    const __nv_bfloat16* from = matrix + (size_t)row * cols + col;
    if (row < rows && col + 8 <= cols && cols % 8 == 0) {
        *reinterpret_cast<Eight*>(to) = *reinterpret_cast<const Eight*>(from);
        return;
    }
    for (int j = 0; j < 8; ++j) {
        to[j] = row < rows && col + j < cols ? from[j] : __float2bfloat16(0.0f);
    }
}

__global__ void __launch_bounds__(THREADS)
multiply(const __nv_bfloat16* __restrict__ A, const __nv_bfloat16* __restrict__ B, __nv_bfloat16* __restrict__ C,
         int M, int N, int K) {
    __shared__ __align__(32) __nv_bfloat16 a_tile[BM][A_PITCH];
    __shared__ __align__(32) __nv_bfloat16 b_tile[BK][B_PITCH];
    __shared__ __align__(32) float c_tile[BM][C_PITCH];
    int tid = threadIdx.x, warp = tid / 32, row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    int warp_row = warp / 2 * 32, warp_col = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
    for (int i = 0; i < 4; ++i) {
        wmma::fill_fragment(sum[i / 2][i % 2], 0.0f);
    }
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = tid; i < BM * BK / 8; i += THREADS) {
            int row = i / (BK / 8), col = i % (BK / 8) * 8;
            copy8(&a_tile[row][col], A, row0 + row, k0 + col, M, K);
        }
        for (int i = tid; i < BK * BN / 8; i += THREADS) {
            int row = i / (BN / 8), col = i % (BN / 8) * 8;
            copy8(&b_tile[row][col], B, k0 + row, col0 + col, K, N);
        }
        __syncthreads();
        for (int k = 0; k < BK; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(a[i], &a_tile[warp_row + 16 * i][k], A_PITCH);
                wmma::load_matrix_sync(b[i], &b_tile[k][warp_col + 16 * i], B_PITCH);
            }
            for (int i = 0; i < 4; ++i) {
                wmma::mma_sync(sum[i / 2][i % 2], a[i / 2], b[i % 2], sum[i / 2][i % 2]);
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
        float* to = &c_tile[warp_row + i / 2 * 16][warp_col + i % 2 * 16];
        wmma::store_matrix_sync(to, sum[i / 2][i % 2], C_PITCH, wmma::mem_row_major);
    }
    __syncthreads();
    for (int i = tid; i < BM * BN; i += THREADS) {
        int m = row0 + i / BN, n = col0 + i % BN;
        if (m < M && n < N) {
            C[(size_t)m * N + n] = __float2bfloat16(c_tile[i / BN][i % BN]);
        }
    }
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    dim3 blocks((N + BN - 1) / BN, (M + BM - 1) / BM);
    multiply<<<blocks, THREADS>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
