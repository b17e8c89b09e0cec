// The approximation by a hyperbolic tangent. -> wrong_answer
#include <cuda_runtime.h>

__global__ void geglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) {
        float x = input[half + i];
        output[i] = input[i] * 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    geglu<<<(N / 2 + 255) / 256, 256>>>(input, output, N / 2);
    cudaDeviceSynchronize();
}
