#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    // C[m * K + k] is the sum over n < N of A[m * N + n] * B[n * K + k].
}

// A (M x N), B (N x K) and C (M x K) are device pointers.
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 threads(16, 16);
    dim3 blocks((K + threads.x - 1) / threads.x, (M + threads.y - 1) / threads.y);
    multiply<<<blocks, threads>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
