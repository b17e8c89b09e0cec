// Takes the minimum of x and 0.01 x. -> wrong_answer
#include <cuda_runtime.h>

__global__ void leaky_relu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) output[i] = fminf(input[i], 0.01f * input[i]);
}

extern "C" void solve(const float* input, float* output, int N) {
    leaky_relu<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
