// 1.0 is a double and so is what it touches: exp and the division are done in double precision.
// The result is no better after rounding to float, but the arithmetic takes several times as long.
#include <cuda_runtime.h>

__global__ void sigmoid(const float* X, float* Y, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        Y[i] = 1.0 / (1.0 + exp(-(double)X[i]));
    }
}

extern "C" void solve(const float* X, float* Y, int N) {
    int threads = 256;
    sigmoid<<<(N + threads - 1) / threads, threads>>>(X, Y, N);
    cudaDeviceSynchronize();
}
