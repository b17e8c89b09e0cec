// The textbook's way: a tile of 32 x 16 cells and a border of one cell go to shared memory first. Global loads
// fall to 1.2 per cell, but what they saved came from the cache anyway, and a barrier and five shared accesses
// are the price.
#include <cuda_runtime.h>

constexpr int WIDTH = 32, HEIGHT = 16;

__global__ void step(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[HEIGHT + 2][WIDTH + 2];
    int left = blockIdx.x * WIDTH - 1, top = blockIdx.y * HEIGHT - 1;
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y; i < HEIGHT + 2; i += HEIGHT) {
        for (int j = x; j < WIDTH + 2; j += WIDTH) {
            int r = top + i, c = left + j;
            bool is_inside = r >= 0 && r < rows && c >= 0 && c < cols;
            tile[i][j] = is_inside ? input[(size_t)r * cols + c] : 0.0f;
        }
    }
    __syncthreads();
    int r = top + 1 + y, c = left + 1 + x;
    if (r >= rows || c >= cols) {
        return;
    }
    bool is_border = r == 0 || r == rows - 1 || c == 0 || c == cols - 1;
    float average = (tile[y][x + 1] + tile[y + 2][x + 1] + tile[y + 1][x] + tile[y + 1][x + 2]) / 4;
    output[(size_t)r * cols + c] = is_border ? tile[y + 1][x + 1] : average;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(WIDTH, HEIGHT);
    dim3 grid((cols + WIDTH - 1) / WIDTH, (rows + HEIGHT - 1) / HEIGHT);
    step<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
