// Neighbours outside the block's own tile count as zero. -> wrong_answer
#include <cuda_runtime.h>

__global__ void blur(const float* input, const float* kernel, float* output, int input_rows,
                     int input_cols, int kernel_rows, int kernel_cols) {
    __shared__ float tile[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, c = blockIdx.x * 16 + tx, r = blockIdx.y * 16 + ty;
    tile[ty][tx] = r < input_rows && c < input_cols ? input[r * input_cols + c] : 0.0f;
    __syncthreads();
    if (r >= input_rows || c >= input_cols) return;
    float sum = 0.0f;
    for (int i = 0; i < kernel_rows; ++i)
        for (int j = 0; j < kernel_cols; ++j) {
            int y = ty + i - kernel_rows / 2, x = tx + j - kernel_cols / 2;
            if (y >= 0 && y < 16 && x >= 0 && x < 16) sum += tile[y][x] * kernel[i * kernel_cols + j];
        }
    output[r * input_cols + c] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows,
                      int input_cols, int kernel_rows, int kernel_cols) {
    dim3 grid((input_cols + 15) / 16, (input_rows + 15) / 16);
    blur<<<grid, dim3(16, 16)>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
    cudaDeviceSynchronize();
}
