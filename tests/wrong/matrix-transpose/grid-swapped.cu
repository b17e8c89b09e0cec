// The grid has its extents the wrong way round. -> wrong_answer
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < cols) output[c * rows + r] = input[r * cols + c];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<dim3((rows + 31) / 32, (cols + 31) / 32), dim3(32, 32)>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
