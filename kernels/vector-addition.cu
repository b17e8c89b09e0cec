#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
    // Which element is this thread's? Is there one at all?
}

// A, B and C are device pointers.
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    int threads = 256;
    int blocks = (N + threads - 1) / threads;
    add<<<blocks, threads>>>(A, B, C, N);
    cudaDeviceSynchronize();
}
