#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int input_rows,
                         int input_cols, int kernel_rows, int kernel_cols) {
    // Write (input_rows - kernel_rows + 1) x (input_cols - kernel_cols + 1) sums of products.
}

// input, kernel and output are device pointers.
extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows,
                      int input_cols, int kernel_rows, int kernel_cols) {
    int rows = input_rows - kernel_rows + 1, cols = input_cols - kernel_cols + 1;
    dim3 block(32, 8);
    dim3 grid((cols + 31) / 32, (rows + 7) / 8);
    convolve<<<grid, block>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
    cudaDeviceSynchronize();
}
