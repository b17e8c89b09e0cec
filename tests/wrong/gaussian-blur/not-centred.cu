// The window starts at the pixel. -> wrong_answer
#include <cuda_runtime.h>

__global__ void blur(const float* input, const float* kernel, float* output, int input_rows,
                     int input_cols, int kernel_rows, int kernel_cols) {
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (r >= input_rows || c >= input_cols) return;
    float sum = 0.0f;
    for (int i = 0; i < kernel_rows; ++i)
        for (int j = 0; j < kernel_cols; ++j) {
            int y = r + i, x = c + j;
            if (y >= 0 && y < input_rows && x >= 0 && x < input_cols) sum += input[y * input_cols + x] * kernel[i * kernel_cols + j];
        }
    output[r * input_cols + c] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows,
                      int input_cols, int kernel_rows, int kernel_cols) {
    dim3 grid((input_cols + 15) / 16, (input_rows + 15) / 16);
    blur<<<grid, dim3(16, 16)>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
    cudaDeviceSynchronize();
}
