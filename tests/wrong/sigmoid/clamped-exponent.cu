// Inputs are limited to 16 in size. -> wrong_answer
#include <cuda_runtime.h>

__global__ void sigmoid(const float* X, float* Y, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) Y[i] = 1.0f / (1.0f + expf(-fminf(fmaxf(X[i], -16.0f), 16.0f)));
}

extern "C" void solve(const float* X, float* Y, int N) {
    sigmoid<<<(N + 255) / 256, 256>>>(X, Y, N);
    cudaDeviceSynchronize();
}
