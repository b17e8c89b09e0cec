#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    // C[m * N + n] is the sum over k < K of A[m * K + k] * B[k * N + n].
}

// A (M x K), B (K x N) and C (M x N) are device pointers.
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 threads(16, 16);
    dim3 blocks((N + threads.x - 1) / threads.x, (M + threads.y - 1) / threads.y);
    multiply<<<blocks, threads>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
