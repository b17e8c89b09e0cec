// The last one to three pixels are never written. -> wrong_answer, runtime_error
#include <cuda_runtime.h>

__global__ void to_gray(const float* input, float* output, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels / 4) {
        for (int k = 4 * i; k < 4 * i + 4; ++k)
            output[k] = 0.299f * input[3 * k] + 0.587f * input[3 * k + 1] + 0.114f * input[3 * k + 2];
    }
}

extern "C" void solve(const float* input, float* output, int width, int height) {
    to_gray<<<(width * height + 255) / 256, 256>>>(input, output, width * height);
    cudaDeviceSynchronize();
}
