#include <cuda_runtime.h>

__global__ void leaky_relu(const float* input, float* output, int N) {
    // output[i] is input[i] where that is positive, else 0.01f * input[i].
}

// input and output are device pointers.
extern "C" void solve(const float* input, float* output, int N) {
    int threads = 256;
    int blocks = (N + threads - 1) / threads;
    leaky_relu<<<blocks, threads>>>(input, output, N);
    cudaDeviceSynchronize();
}
