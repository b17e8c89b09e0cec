#include <cuda_runtime.h>

__global__ void compact(const float* A, int N, float* out) {
    // Move all A[i] > 0 to the front of out, in order.
}

// A and out are device pointers; out holds zeros at the start.
extern "C" void solve(const float* A, int N, float* out) {
    int threads = 256;
    int blocks = (N + threads - 1) / threads;
    compact<<<blocks, threads>>>(A, N, out);
    cudaDeviceSynchronize();
}
