// No barrier between filling the tile and reading it. -> hazard, wrong_answer
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
    __shared__ float tile[32][33];
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = input[r * cols + c];
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    if (orow < cols && oc < rows) output[orow * rows + oc] = tile[threadIdx.x][threadIdx.y];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    transpose<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
