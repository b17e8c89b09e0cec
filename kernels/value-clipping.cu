#include <cuda_runtime.h>

__global__ void clip(const float* input, float* output, float lo, float hi, int N) {
    // output[i] is input[i] limited to the range from lo to hi.
}

// input and output are device pointers.
extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
    int threads = 256;
    int blocks = (N + threads - 1) / threads;
    clip<<<blocks, threads>>>(input, output, lo, hi, N);
    cudaDeviceSynchronize();
}
