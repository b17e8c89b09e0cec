// The piecewise linear cousin. -> wrong_answer
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) output[i] = input[i] * __saturatef(input[i] / 6.0f + 0.5f);
}

extern "C" void solve(const float* input, float* output, int N) {
    silu<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
