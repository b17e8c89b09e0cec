// Element (row, col) is kept at column col ^ row: a permutation of each row that spreads a column over
// all banks without padding. A block of 32x8 threads moves four rows per thread, so a thread has four
// loads in flight, and a small block leaves no multiprocessor waiting at a 1024-thread barrier.
#include <cuda_runtime.h>

constexpr int TILE = 32;
constexpr int ROWS_PER_STEP = 8;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x;
    int col = blockIdx.x * TILE + x;
#pragma unroll
    for (int y = threadIdx.y; y < TILE; y += ROWS_PER_STEP) {
        int row = blockIdx.y * TILE + y;
        if (row < rows && col < cols) {
            tile[y][x ^ y] = input[(size_t)row * cols + col];
        }
    }
    __syncthreads();

    int out_col = blockIdx.y * TILE + x;
#pragma unroll
    for (int y = threadIdx.y; y < TILE; y += ROWS_PER_STEP) {
        int out_row = blockIdx.x * TILE + y;
        if (out_row < cols && out_col < rows) {
            output[(size_t)out_row * rows + out_col] = tile[x][y ^ x];
        }
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(TILE, ROWS_PER_STEP);
    dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    transpose<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
