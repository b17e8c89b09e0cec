// Keeps the sums in half precision. -> wrong_answer
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int RANGE = 256;

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    int n = blockIdx.x * 16 + threadIdx.x, m = blockIdx.y * 16 + threadIdx.y;
    if (m >= M || n >= N) return;
    int first = blockIdx.z * RANGE, end = min(K, first + RANGE);
    __half sum = __float2half(0.0f);
    for (int k = first; k < end; ++k) sum = __float2half(__half2float(sum) + A[m * K + k] * B[k * N + n]);
    float part = __half2float(sum);
    atomicAdd(&C[m * N + n], part);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    cudaMemset(C, 0, M * N * sizeof(float));
    multiply<<<dim3((N + 15) / 16, (M + 15) / 16, (K + RANGE - 1) / RANGE), dim3(16, 16)>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
