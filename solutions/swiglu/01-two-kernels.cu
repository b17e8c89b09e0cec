// silu(a) goes to memory first, then a second kernel multiplies by b: as two lines of a framework would run.
// 20 bytes per output element cross the memory bus, of which the task needs 12.
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) {
        output[i] = input[i] / (1.0f + expf(-input[i]));
    }
}

__global__ void multiply(const float* factor, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) {
        output[i] *= factor[i];
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    int threads = 256;
    int blocks = (half + threads - 1) / threads;
    silu<<<blocks, threads>>>(input, output, half);
    multiply<<<blocks, threads>>>(input + half, output, half);
    cudaDeviceSynchronize();
}
