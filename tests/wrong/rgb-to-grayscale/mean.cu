// Takes the mean of the channels. -> wrong_answer
#include <cuda_runtime.h>

__global__ void to_gray(const float* input, float* output, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) output[i] = (input[3 * i] + input[3 * i + 1] + input[3 * i + 2]) / 3.0f;
}

extern "C" void solve(const float* input, float* output, int width, int height) {
    to_gray<<<(width * height + 255) / 256, 256>>>(input, output, width * height);
    cudaDeviceSynchronize();
}
