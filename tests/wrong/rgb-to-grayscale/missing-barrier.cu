// Picks up numbers that other threads may not have staged yet. -> hazard, wrong_answer
#include <cuda_runtime.h>

__global__ void to_gray(const float* input, float* output, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float staged[768];
    for (int k = threadIdx.x; k < 768; k += 256) {
        if (blockIdx.x * 768 + k < 3 * pixels) staged[k] = input[blockIdx.x * 768 + k];
    }
    const float* p = staged + 3 * threadIdx.x;
    if (i < pixels) output[i] = 0.299f * p[0] + 0.587f * p[1] + 0.114f * p[2];
}

extern "C" void solve(const float* input, float* output, int width, int height) {
    to_gray<<<(width * height + 255) / 256, 256>>>(input, output, width * height);
    cudaDeviceSynchronize();
}
