// Reads and writes whole 16x16 fragments, past the edges as well. -> wrong_answer, hazard, runtime_error, rejected
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

__global__ void multiply(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    __shared__ __align__(32) float out[16][16];
    int m = blockIdx.y * 16, n = blockIdx.x * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b;
        wmma::load_matrix_sync(a, A + m * K + k, K);
        wmma::load_matrix_sync(b, B + k * N + n, N);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(&out[0][0], sum, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32)
        if (m + i / 16 < M && n + i % 16 < N) C[(m + i / 16) * N + n + i % 16] = __float2bfloat16(out[i / 16][i % 16]);
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    multiply<<<dim3((N + 15) / 16, (M + 15) / 16), 32>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
