// Rounds the inputs to half precision. -> wrong_answer
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void step(const float* input, float* output, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols) return;
    int i = r * cols + c;
    if (r == 0 || r == rows - 1 || c == 0 || c == cols - 1) {
        output[i] = input[i];
    } else {
        output[i] = (__half2float(__float2half(input[i - cols])) + input[i + cols] + input[i - 1] + input[i + 1]) / 4;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(32, 8);
    dim3 grid((cols + 31) / 32, (rows + 7) / 8);
    step<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
