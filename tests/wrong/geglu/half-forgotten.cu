// The factor 1 / 2 is missing. -> wrong_answer
#include <cuda_runtime.h>

__global__ void geglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) {
        float x = input[half + i];
        output[i] = input[i] * x * (1.0f + erff(x * 0.70710678f));
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    geglu<<<(N / 2 + 255) / 256, 256>>>(input, output, N / 2);
    cudaDeviceSynchronize();
}
