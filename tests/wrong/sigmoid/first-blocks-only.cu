// The grid is limited to 64 blocks and does not stride. -> wrong_answer
#include <cuda_runtime.h>

__global__ void sigmoid(const float* X, float* Y, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) Y[i] = 1.0f / (1.0f + expf(-X[i]));
}

extern "C" void solve(const float* X, float* Y, int N) {
    sigmoid<<<min((N + 255) / 256, 64), 256>>>(X, Y, N);
    cudaDeviceSynchronize();
}
