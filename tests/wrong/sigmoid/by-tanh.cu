// 0.5 tanh(x / 2) + 0.5 loses all digits for negative x. -> wrong_answer
#include <cuda_runtime.h>

__global__ void sigmoid(const float* X, float* Y, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) Y[i] = 0.5f * tanhf(0.5f * X[i]) + 0.5f;
}

extern "C" void solve(const float* X, float* Y, int N) {
    sigmoid<<<(N + 255) / 256, 256>>>(X, Y, N);
    cudaDeviceSynchronize();
}
