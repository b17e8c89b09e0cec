// Divides by a hundred in integers. -> wrong_answer
#include <cuda_runtime.h>

__global__ void leaky_relu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) output[i] = input[i] > 0.0f ? input[i] : static_cast<float>(static_cast<int>(input[i]) / 100);
}

extern "C" void solve(const float* input, float* output, int N) {
    leaky_relu<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
