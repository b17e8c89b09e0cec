#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
    // output[i] is x / (1 + exp(-x)) with x = input[i].
}

// input and output are device pointers.
extern "C" void solve(const float* input, float* output, int N) {
    int threads = 256;
    int blocks = (N + threads - 1) / threads;
    silu<<<blocks, threads>>>(input, output, N);
    cudaDeviceSynchronize();
}
