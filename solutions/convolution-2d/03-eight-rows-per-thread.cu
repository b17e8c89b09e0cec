// A thread computes eight outputs of a column. Walking down a kernel column it reads each pixel once and uses
// it for all eight, with the latest eight weights in registers: one shared load per eight multiply-adds.
#include <cuda_runtime.h>

constexpr int WIDTH = 32, HEIGHT = 64;  // outputs per block
constexpr int ROWS = 8;                 // outputs per thread
constexpr int MAX_SIDE = 31;

__constant__ float weights[MAX_SIDE * MAX_SIDE];

__global__ void convolve(const float* input, float* output, int input_rows, int input_cols, int kernel_rows,
                         int kernel_cols, int rows, int cols) {
    __shared__ float tile[HEIGHT + MAX_SIDE - 1][WIDTH + MAX_SIDE - 1];
    int left = blockIdx.x * WIDTH, top = blockIdx.y * HEIGHT, x = threadIdx.x;
    for (int i = threadIdx.y; i < HEIGHT + kernel_rows - 1; i += HEIGHT / ROWS) {
        for (int j = x; j < WIDTH + kernel_cols - 1; j += WIDTH) {
            int r = top + i, c = left + j;
            tile[i][j] = r < input_rows && c < input_cols ? input[r * input_cols + c] : 0.0f;
        }
    }
    __syncthreads();

    int first = threadIdx.y * ROWS;
    float sum[ROWS] = {};
    for (int j = 0; j < kernel_cols; ++j) {
        float weight[ROWS] = {};  // weight[k] belongs to the output k rows below the thread's first
        for (int i = 0; i < kernel_rows + ROWS - 1; ++i) {
#pragma unroll
            for (int k = ROWS - 1; k > 0; --k) {
                weight[k] = weight[k - 1];
            }
            weight[0] = i < kernel_rows ? weights[i * kernel_cols + j] : 0.0f;
            float pixel = tile[first + i][x + j];
#pragma unroll
            for (int k = 0; k < ROWS; ++k) {
                sum[k] += pixel * weight[k];
            }
        }
    }
    if (left + x < cols) {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            if (top + first + k < rows) {
                output[(top + first + k) * cols + left + x] = sum[k];
            }
        }
    }
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    int rows = input_rows - kernel_rows + 1, cols = input_cols - kernel_cols + 1;
    size_t bytes = kernel_rows * kernel_cols * sizeof(float);
    cudaMemcpyToSymbol(weights, kernel, bytes, 0, cudaMemcpyDeviceToDevice);
    dim3 block(WIDTH, HEIGHT / ROWS);
    dim3 grid((cols + WIDTH - 1) / WIDTH, (rows + HEIGHT - 1) / HEIGHT);
    convolve<<<grid, block>>>(input, output, input_rows, input_cols, kernel_rows, kernel_cols, rows, cols);
    cudaDeviceSynchronize();
}
