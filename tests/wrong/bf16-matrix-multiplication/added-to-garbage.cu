// Adds to what C held before. -> wrong_answer, hazard
#include <cuda_bf16.h>
#include <cuda_runtime.h>

__global__ void multiply(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    int n = blockIdx.x * 16 + threadIdx.x, m = blockIdx.y * 16 + threadIdx.y;
    if (m >= M || n >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += __bfloat162float(A[m * K + k]) * __bfloat162float(B[k * N + n]);
    C[m * N + n] = __float2bfloat16(__bfloat162float(C[m * N + n]) + sum);
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    multiply<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
