// Threads outside leave before the barrier. -> accepted
#include <cuda_runtime.h>
__global__ void t(const float* in, float* out, int rows, int cols) {
    __shared__ float s[16][17];
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (c >= cols || r >= rows) return;
    s[threadIdx.y][threadIdx.x] = in[r * cols + c];
    __syncthreads();
    out[c * rows + r] = s[threadIdx.y][threadIdx.x];
}
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    t<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
