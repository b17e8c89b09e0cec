#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int half) {
    // output[i] is silu(input[i]) * input[half + i], where silu(x) = x / (1 + exp(-x)).
}

// input (N elements) and output (N / 2 elements) are device pointers.
extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    int threads = 256;
    int blocks = (half + threads - 1) / threads;
    swiglu<<<blocks, threads>>>(input, output, half);
    cudaDeviceSynchronize();
}
