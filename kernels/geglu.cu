#include <cuda_runtime.h>

__global__ void geglu(const float* input, float* output, int half) {
    // output[i] is input[i] * gelu(input[half + i]), where gelu(x) = x * (1 + erf(x / sqrt(2))) / 2.
}

// input (N elements) and output (N / 2 elements) are device pointers.
extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    int threads = 256;
    int blocks = (half + threads - 1) / threads;
    geglu<<<blocks, threads>>>(input, output, half);
    cudaDeviceSynchronize();
}
