#include <cuda_runtime.h>

__global__ void scan(const float* input, float* output, int N) {
    // Running sums inside this block. What must come before them?
}

// input and output are device pointers.
extern "C" void solve(const float* input, float* output, int N) {
    int threads = 256;
    int blocks = (N + threads - 1) / threads;
    scan<<<blocks, threads>>>(input, output, N);
    cudaDeviceSynchronize();
}
