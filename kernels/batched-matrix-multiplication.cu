#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    // In each matrix of the batch, C[m * N + n] is the sum over k < K of A[m * K + k] * B[k * N + n].
}

// A (BATCH x M x K), B (BATCH x K x N) and C (BATCH x M x N) are device pointers.
extern "C" void solve(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    dim3 threads(16, 16);
    dim3 blocks((N + threads.x - 1) / threads.x, (M + threads.y - 1) / threads.y, BATCH);
    multiply<<<blocks, threads>>>(A, B, C, BATCH, M, N, K);
    cudaDeviceSynchronize();
}
