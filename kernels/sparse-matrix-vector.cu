#include <cuda_runtime.h>

__global__ void multiply(const int* row_ptr, const int* col_idx, const float* values, const float* x,
                         float* y, int M) {
    // y[r] = sum of values[p] * x[col_idx[p]] for row_ptr[r] <= p < row_ptr[r + 1]
}

// All arrays are device pointers.
extern "C" void solve(const int* row_ptr, const int* col_idx, const float* values, const float* x, float* y,
                      int M, int N, int nnz) {
    int threads = 256;
    int blocks = (M + threads - 1) / threads;
    multiply<<<blocks, threads>>>(row_ptr, col_idx, values, x, y, M);
    cudaDeviceSynchronize();
}
