// Tensor cores with inputs rounded to half. -> wrong_answer
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void mm(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ half a[16 * 16], b[16 * 16];
    __shared__ float c[16 * 16];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    int r0 = blockIdx.y * 16, c0 = blockIdx.x * 16;
    for (int k0 = 0; k0 < N; k0 += 16) {
        for (int i = threadIdx.x; i < 256; i += 32) {
            int r = i / 16, k = i % 16;
            a[i] = __float2half(r0 + r < M && k0 + k < N ? A[(r0 + r) * N + k0 + k] : 0.f);
            b[i] = __float2half(k0 + r < N && c0 + k < K ? B[(k0 + r) * K + c0 + k] : 0.f);
        }
        __syncwarp();
        wmma::load_matrix_sync(fa, a, 16);
        wmma::load_matrix_sync(fb, b, 16);
        wmma::mma_sync(fc, fa, fb, fc);
        __syncwarp();
    }
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32)
        if (r0 + i / 16 < M && c0 + i % 16 < K) C[(r0 + i / 16) * K + c0 + i % 16] = c[i];
}
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    mm<<<dim3((K + 15) / 16, (M + 15) / 16), 32>>>(A, B, C, M, N, K);
}
