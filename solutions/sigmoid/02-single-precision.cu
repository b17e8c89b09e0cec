// 1.0f and expf stay in single precision. expf and the division are still short programs: they scale, correct
// and handle special cases to be right to the last bits.
#include <cuda_runtime.h>

__global__ void sigmoid(const float* X, float* Y, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        Y[i] = 1.0f / (1.0f + expf(-X[i]));
    }
}

extern "C" void solve(const float* X, float* Y, int N) {
    int threads = 256;
    sigmoid<<<(N + threads - 1) / threads, threads>>>(X, Y, N);
    cudaDeviceSynchronize();
}
