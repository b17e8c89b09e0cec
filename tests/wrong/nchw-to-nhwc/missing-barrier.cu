// Reads the tile before the other warps have written it. -> hazard, wrong_answer
#include <cuda_runtime.h>

__global__ void to_channels_last(const float* input, float* output, int C, int P) {
    __shared__ float tile[32][33];
    size_t image = (size_t)blockIdx.z * C * P;
    int p = blockIdx.x * 32 + threadIdx.x, c = blockIdx.y * 32 + threadIdx.y;
    if (c < C && p < P) tile[threadIdx.y][threadIdx.x] = input[image + (size_t)c * P + p];
    p = blockIdx.x * 32 + threadIdx.y, c = blockIdx.y * 32 + threadIdx.x;
    if (c < C && p < P) output[image + (size_t)p * C + c] = tile[threadIdx.x][threadIdx.y];
}

extern "C" void solve(const float* input, float* output, int N, int C, int H, int W) {
    int P = H * W;
    to_channels_last<<<dim3((P + 31) / 32, (C + 31) / 32, N), dim3(32, 32)>>>(input, output, C, P);
    cudaDeviceSynchronize();
}
