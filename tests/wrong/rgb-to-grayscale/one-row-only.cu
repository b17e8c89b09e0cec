// The grid covers a single row. -> wrong_answer
#include <cuda_runtime.h>

__global__ void to_gray(const float* input, float* output, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) output[i] = 0.299f * input[3 * i] + 0.587f * input[3 * i + 1] + 0.114f * input[3 * i + 2];
}

extern "C" void solve(const float* input, float* output, int width, int height) {
    to_gray<<<(width + 255) / 256, 256>>>(input, output, width);
    cudaDeviceSynchronize();
}
