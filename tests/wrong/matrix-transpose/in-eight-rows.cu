// A block of 32 x 8 threads handles 8 of its 32 rows. -> wrong_answer
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    if (r < rows && c < cols) output[c * rows + r] = input[r * cols + c];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
