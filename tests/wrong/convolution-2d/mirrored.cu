// Mirrors the kernel. -> wrong_answer
#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int input_cols, int kernel_rows,
                         int kernel_cols, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols) return;
    float sum = 0.0f;
    for (int i = 0; i < kernel_rows; ++i) {
        for (int j = 0; j < kernel_cols; ++j) {
            sum += input[(r + i) * input_cols + c + j] * kernel[(kernel_rows - 1 - i) * kernel_cols + kernel_cols - 1 - j];
        }
    }
    output[r * cols + c] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    int rows = input_rows - kernel_rows + 1, cols = input_cols - kernel_cols + 1;
    dim3 block(32, 8);
    dim3 grid((cols + 31) / 32, (rows + 7) / 8);
    convolve<<<grid, block>>>(input, kernel, output, input_cols, kernel_rows, kernel_cols, rows, cols);
    cudaDeviceSynchronize();
}
