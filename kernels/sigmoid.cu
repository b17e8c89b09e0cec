#include <cuda_runtime.h>

__global__ void sigmoid(const float* X, float* Y, int N) {
    // Y[i] is 1 / (1 + exp(-X[i])).
}

// X and Y are device pointers.
extern "C" void solve(const float* X, float* Y, int N) {
    int threads = 256;
    int blocks = (N + threads - 1) / threads;
    sigmoid<<<blocks, threads>>>(X, Y, N);
    cudaDeviceSynchronize();
}
