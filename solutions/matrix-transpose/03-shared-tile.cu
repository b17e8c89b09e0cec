// A 32x32 tile is read row by row into shared memory and written out row by row of the result.
// Global memory is now contiguous on both sides; the strided access moved into shared memory,
// where reading a column of a 32-wide tile hits one bank 32 times.
#include <cuda_runtime.h>

constexpr int TILE = 32;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[TILE][TILE];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) {
        tile[threadIdx.y][threadIdx.x] = input[(size_t)row * cols + col];
    }
    __syncthreads();

    // The blocks swap places, the threads do not: threadIdx.x runs along the output row.
    int out_col = blockIdx.y * TILE + threadIdx.x;
    int out_row = blockIdx.x * TILE + threadIdx.y;
    if (out_row < cols && out_col < rows) {
        output[(size_t)out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(TILE, TILE);
    dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    transpose<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
