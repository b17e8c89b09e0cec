// Both halves are read by the thread that needs them, and only the product is written.
// Three accesses per element, each contiguous across the warp.
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) {
        float a = input[i], b = input[half + i];
        output[i] = a / (1.0f + expf(-a)) * b;
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    int threads = 256;
    swiglu<<<(half + threads - 1) / threads, threads>>>(input, output, half);
    cudaDeviceSynchronize();
}
