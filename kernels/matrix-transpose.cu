#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    // input[r * cols + c] belongs at output[c * rows + r].
}

// input (rows x cols) and output (cols x rows) are device pointers.
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 threads(32, 8);
    dim3 blocks((cols + threads.x - 1) / threads.x, (rows + threads.y - 1) / threads.y);
    transpose<<<blocks, threads>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
