// Leaves the last product out. -> wrong_answer
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    int n = blockIdx.x * 16 + threadIdx.x, m = blockIdx.y * 16 + threadIdx.y, batch = blockIdx.z;
    if (m >= M || n >= N) return;
    float sum = 0.0f;
    for (int k = 0; k + 1 < K; ++k) sum += A[(batch * M + m) * K + k] * B[(batch * K + k) * N + n];
    C[(batch * M + m) * N + n] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    multiply<<<dim3((N + 15) / 16, (M + 15) / 16, BATCH), dim3(16, 16)>>>(A, B, C, BATCH, M, N, K);
    cudaDeviceSynchronize();
}
