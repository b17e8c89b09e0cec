// Writes nothing for an empty row. -> wrong_answer
#include <cuda_runtime.h>

__global__ void multiply(const int* row_ptr, const int* col_idx, const float* values, const float* x, float* y,
                         int M) {
    int r = (blockIdx.x * 256 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= M) return;
    float sum = 0.0f;
    for (int p = row_ptr[r] + lane; p < row_ptr[r + 1]; p += 32) {
        sum += values[p] * x[col_idx[p]];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0 && row_ptr[r] < row_ptr[r + 1]) y[r] = sum;
}

extern "C" void solve(const int* row_ptr, const int* col_idx, const float* values, const float* x, float* y, int M,
                      int N, int nnz) {
    multiply<<<(M + 7) / 8, 256>>>(row_ptr, col_idx, values, x, y, M);
    cudaDeviceSynchronize();
}
