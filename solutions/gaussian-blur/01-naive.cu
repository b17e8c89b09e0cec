// One thread per pixel walks over the filter, testing every tap against the image's edges.
// Each pixel is read once for every tap, and each tap reads its weight from global memory as well.
#include <cuda_runtime.h>

__global__ void blur(const float* input, const float* kernel, float* output, int rows, int cols, int kernel_rows,
                     int kernel_cols) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) {
        return;
    }
    float sum = 0.0f;
    for (int i = 0; i < kernel_rows; ++i) {
        for (int j = 0; j < kernel_cols; ++j) {
            int r = row + i - kernel_rows / 2;
            int c = col + j - kernel_cols / 2;
            if (r >= 0 && r < rows && c >= 0 && c < cols) {
                sum += input[r * cols + c] * kernel[i * kernel_cols + j];
            }
        }
    }
    output[row * cols + col] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    dim3 block(32, 8);
    dim3 grid((input_cols + block.x - 1) / block.x, (input_rows + block.y - 1) / block.y);
    blur<<<grid, block>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
    cudaDeviceSynchronize();
}
