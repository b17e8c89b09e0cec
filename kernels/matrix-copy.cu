#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, int N) {
    // B gets all N * N elements of A.
}

// A and B are device pointers.
extern "C" void solve(const float* A, float* B, int N) {
    dim3 threads(32, 8);
    dim3 blocks((N + threads.x - 1) / threads.x, (N + threads.y - 1) / threads.y);
    copy<<<blocks, threads>>>(A, B, N);
    cudaDeviceSynchronize();
}
