// erff, and an f behind every literal; the division by sqrt(2) becomes a product with a constant.
// The kernel is now bound by memory.
#include <cuda_runtime.h>

__global__ void geglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) {
        float a = input[i], b = input[half + i];
        output[i] = a * (0.5f * b) * (1.0f + erff(b * 0.70710678f));
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    int threads = 256;
    geglu<<<(half + threads - 1) / threads, threads>>>(input, output, half);
    cudaDeviceSynchronize();
}
