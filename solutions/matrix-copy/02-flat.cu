// The matrix as one vector: lanes are neighbours in memory whatever N is, and the index costs one multiply-add.
// Four bytes per thread, though: the address arithmetic outweighs the one load and the one store.
#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, size_t count) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        B[i] = A[i];
    }
}

extern "C" void solve(const float* A, float* B, int N) {
    size_t count = (size_t)N * N;
    int threads = 256;
    copy<<<(unsigned)((count + threads - 1) / threads), threads>>>(A, B, count);
    cudaDeviceSynchronize();
}
