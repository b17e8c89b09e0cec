// The block copies its pixels and a border (the halo) to shared memory once, zeros outside the image.
// Filtering then reads shared memory only and needs no tests: the edges were settled while loading.
#include <cuda_runtime.h>

constexpr int WIDTH = 32, HEIGHT = 16;  // pixels, and threads, per block
constexpr int MAX_SIDE = 21;            // largest filter
constexpr int TILE_COLS = WIDTH + MAX_SIDE - 1, TILE_ROWS = HEIGHT + MAX_SIDE - 1;

__constant__ float weights[MAX_SIDE * MAX_SIDE];

__global__ void blur(const float* input, float* output, int rows, int cols, int kernel_rows, int kernel_cols) {
    __shared__ float tile[TILE_ROWS][TILE_COLS];
    int x = threadIdx.x, y = threadIdx.y;
    int top = blockIdx.y * HEIGHT - kernel_rows / 2;
    int left = blockIdx.x * WIDTH - kernel_cols / 2;
    for (int i = y; i < HEIGHT + kernel_rows - 1; i += HEIGHT) {
        for (int j = x; j < WIDTH + kernel_cols - 1; j += WIDTH) {
            int r = top + i, c = left + j;
            tile[i][j] = r >= 0 && r < rows && c >= 0 && c < cols ? input[r * cols + c] : 0.0f;
        }
    }
    __syncthreads();

    int row = blockIdx.y * HEIGHT + y, col = blockIdx.x * WIDTH + x;
    if (row < rows && col < cols) {
        float sum = 0.0f;
        for (int i = 0; i < kernel_rows; ++i) {
            for (int j = 0; j < kernel_cols; ++j) {
                sum += tile[y + i][x + j] * weights[i * kernel_cols + j];
            }
        }
        output[row * cols + col] = sum;
    }
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    size_t bytes = kernel_rows * kernel_cols * sizeof(float);
    cudaMemcpyToSymbol(weights, kernel, bytes, 0, cudaMemcpyDeviceToDevice);
    dim3 block(WIDTH, HEIGHT);
    dim3 grid((input_cols + WIDTH - 1) / WIDTH, (input_rows + HEIGHT - 1) / HEIGHT);
    blur<<<grid, block>>>(input, output, input_rows, input_cols, kernel_rows, kernel_cols);
    cudaDeviceSynchronize();
}
