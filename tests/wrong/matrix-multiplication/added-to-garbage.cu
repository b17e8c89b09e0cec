// Adds to what C held before. -> wrong_answer, hazard
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    int k = blockIdx.x * 16 + threadIdx.x, m = blockIdx.y * 16 + threadIdx.y;
    if (m >= M || k >= K) return;
    float sum = 0.0f;
    for (int n = 0; n < N; ++n) sum += A[m * N + n] * B[n * K + k];
    C[m * K + k] += sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    multiply<<<dim3((K + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
