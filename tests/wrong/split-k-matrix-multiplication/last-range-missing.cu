// Rounds the number of ranges down. -> wrong_answer
#include <cuda_runtime.h>

constexpr int RANGE = 256;

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    int n = blockIdx.x * 16 + threadIdx.x, m = blockIdx.y * 16 + threadIdx.y;
    if (m >= M || n >= N) return;
    int first = blockIdx.z * RANGE, end = min(K, first + RANGE);
    float part = 0.0f;
    for (int k = first; k < end; ++k) part += A[m * K + k] * B[k * N + n];
    atomicAdd(&C[m * N + n], part);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    cudaMemset(C, 0, M * N * sizeof(float));
    multiply<<<dim3((N + 15) / 16, (M + 15) / 16, max(1, K / RANGE)), dim3(16, 16)>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
