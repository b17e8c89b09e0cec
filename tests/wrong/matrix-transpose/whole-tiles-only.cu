// Skips every tile that is not complete. -> wrong_answer
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if ((blockIdx.x + 1) * 32 <= cols && (blockIdx.y + 1) * 32 <= rows) output[c * rows + r] = input[r * cols + c];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
