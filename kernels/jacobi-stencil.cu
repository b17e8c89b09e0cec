#include <cuda_runtime.h>

__global__ void step(const float* input, float* output, int rows, int cols) {
    // Average the four neighbours of inner cells; copy the border.
}

// input and output are device pointers to rows x cols floats.
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(32, 8);
    dim3 grid((cols + 31) / 32, (rows + 7) / 8);
    step<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
