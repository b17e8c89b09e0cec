// Rounds every product to bfloat16 before adding it. -> wrong_answer
#include <cuda_bf16.h>
#include <cuda_runtime.h>

__global__ void multiply(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    int n = blockIdx.x * 16 + threadIdx.x, m = blockIdx.y * 16 + threadIdx.y;
    if (m >= M || n >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        __nv_bfloat16 product = __hmul(A[m * K + k], B[k * N + n]);
        sum += __bfloat162float(product);
    }
    C[m * N + n] = __float2bfloat16(sum);
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    multiply<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
