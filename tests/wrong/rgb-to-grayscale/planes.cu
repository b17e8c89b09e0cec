// Takes the channels for planes. -> wrong_answer
#include <cuda_runtime.h>

__global__ void to_gray(const float* input, float* output, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) output[i] = 0.299f * input[i] + 0.587f * input[pixels + i] + 0.114f * input[2 * pixels + i];
}

extern "C" void solve(const float* input, float* output, int width, int height) {
    to_gray<<<(width * height + 255) / 256, 256>>>(input, output, width * height);
    cudaDeviceSynchronize();
}
