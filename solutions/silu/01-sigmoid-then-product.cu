// Two operations, two kernels: the sigmoid goes into the output, and a second pass multiplies by the input.
// 20 bytes an element cross the memory bus, of which the task needs 8.
#include <cuda_runtime.h>

__global__ void sigmoid(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        output[i] = 1.0f / (1.0f + expf(-input[i]));
    }
}

__global__ void multiply(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        output[i] *= input[i];
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int threads = 256;
    int blocks = (N + threads - 1) / threads;
    sigmoid<<<blocks, threads>>>(input, output, N);
    multiply<<<blocks, threads>>>(input, output, N);
    cudaDeviceSynchronize();
}
