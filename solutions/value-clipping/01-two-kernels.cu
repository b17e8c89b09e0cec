// One kernel for either limit, the second over what the first has written: two lines of a library, two passes.
// The vector crosses the memory bus four times where two would do.
#include <cuda_runtime.h>

__global__ void at_least(const float* input, float* output, float lo, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        output[i] = fmaxf(input[i], lo);
    }
}

__global__ void at_most(float* output, float hi, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        output[i] = fminf(output[i], hi);
    }
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
    int threads = 256;
    int blocks = (N + threads - 1) / threads;
    at_least<<<blocks, threads>>>(input, output, lo, N);
    at_most<<<blocks, threads>>>(output, hi, N);
    cudaDeviceSynchronize();
}
