#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    // input[i] and input[N - 1 - i] change places.
}

// input is a device pointer; it is overwritten with the answer.
extern "C" void solve(float* input, int N) {
    int threads = 256;
    int blocks = (N / 2 + threads - 1) / threads;
    if (blocks > 0) reverse<<<blocks, threads>>>(input, N);
    cudaDeviceSynchronize();
}
