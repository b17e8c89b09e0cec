// Takes the scale of the first tile in a row for the whole row. -> wrong_answer
#include <cuda_runtime.h>

__global__ void dequantize(const float* X, const float* S, float* Y, int M, int N, int tile) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    int i = r * N + c, across = (N + tile - 1) / tile;
    if (r < M && c < N) Y[i] = X[i] * S[r / tile * across];
}

extern "C" void solve(const float* X, const float* S, float* Y, int M, int N, int TILE_SIZE) {
    dequantize<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(X, S, Y, M, N, TILE_SIZE);
    cudaDeviceSynchronize();
}
