#include <cuda_runtime.h>

__global__ void rotate(const float* Q, const float* cos, const float* sin, float* output, int M, int D) {
    // Row m: numbers d and d + D / 2 are turned, see the statement for the two formulas.
}

// Q, cos, sin and output (M x D each) are device pointers.
extern "C" void solve(const float* Q, const float* cos, const float* sin, float* output, int M, int D) {
    int threads = 256;
    int blocks = (M * D / 2 + threads - 1) / threads;
    rotate<<<blocks, threads>>>(Q, cos, sin, output, M, D);
    cudaDeviceSynchronize();
}
