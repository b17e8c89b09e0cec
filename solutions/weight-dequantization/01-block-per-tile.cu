// One block per tile, as the statement puts it; its 256 threads walk down the rows of the tile, one row each.
// Lanes are a row apart: every access takes a sector per lane.
#include <cuda_runtime.h>

__global__ void dequantize(const float* X, const float* S, float* Y, int M, int N, int tile) {
    float scale = S[blockIdx.y * gridDim.x + blockIdx.x];
    int first_row = blockIdx.y * tile, first_col = blockIdx.x * tile;
    for (int r = first_row + threadIdx.x; r < min(first_row + tile, M); r += blockDim.x) {
        for (int c = first_col; c < min(first_col + tile, N); ++c) {
            Y[(size_t)r * N + c] = X[(size_t)r * N + c] * scale;
        }
    }
}

extern "C" void solve(const float* X, const float* S, float* Y, int M, int N, int TILE_SIZE) {
    dim3 tiles((N + TILE_SIZE - 1) / TILE_SIZE, (M + TILE_SIZE - 1) / TILE_SIZE);
    dequantize<<<tiles, 256>>>(X, S, Y, M, N, TILE_SIZE);
    cudaDeviceSynchronize();
}
