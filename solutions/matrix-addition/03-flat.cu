// Elementwise work does not care about rows: the matrix is treated as one vector of N * N elements.
// No lane idles at the right edge, rows need no alignment, and the index costs one multiply-add.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, size_t count) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        C[i] = A[i] + B[i];
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    size_t count = (size_t)N * N;
    int threads = 256;
    unsigned blocks = (unsigned)((count + threads - 1) / threads);
    add<<<blocks, threads>>>(A, B, C, count);
    cudaDeviceSynchronize();
}
