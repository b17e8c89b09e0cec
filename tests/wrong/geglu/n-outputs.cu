// Writes N elements where the output has N / 2. -> hazard, rejected, runtime_error
#include <cuda_runtime.h>

__global__ void geglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 2 * half) {
        float x = input[half + i % half];
        output[i] = input[i % half] * 0.5f * x * (1.0f + erff(x * 0.70710678f));
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    geglu<<<(N + 255) / 256, 256>>>(input, output, N / 2);
    cudaDeviceSynchronize();
}
