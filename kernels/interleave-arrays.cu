#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
    // A[i] belongs at output[2 * i], B[i] at output[2 * i + 1].
}

// A, B (N elements each) and output (2 * N) are device pointers.
extern "C" void solve(const float* A, const float* B, float* output, int N) {
    int threads = 256;
    int blocks = (N + threads - 1) / threads;
    interleave<<<blocks, threads>>>(A, B, output, N);
    cudaDeviceSynchronize();
}
