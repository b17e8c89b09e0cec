// A 32x32 tile of channels and pixels passes through shared memory, read along the planes and written along
// the channels. The spare column spreads a column of the tile over all banks; a thread moves four rows.
#include <cuda_runtime.h>

constexpr int TILE = 32;
constexpr int ROWS_PER_STEP = 8;

__global__ void to_channels_last(const float* input, float* output, int C, int P) {
    __shared__ float tile[TILE][TILE + 1];
    size_t image = (size_t)blockIdx.z * C * P;
    int p = blockIdx.x * TILE + threadIdx.x;
#pragma unroll
    for (int y = threadIdx.y; y < TILE; y += ROWS_PER_STEP) {
        int c = blockIdx.y * TILE + y;
        if (c < C && p < P) {
            tile[y][threadIdx.x] = input[image + (size_t)c * P + p];
        }
    }
    __syncthreads();

    int out_c = blockIdx.y * TILE + threadIdx.x;
#pragma unroll
    for (int y = threadIdx.y; y < TILE; y += ROWS_PER_STEP) {
        int out_p = blockIdx.x * TILE + y;
        if (out_c < C && out_p < P) {
            output[image + (size_t)out_p * C + out_c] = tile[threadIdx.x][y];
        }
    }
}

extern "C" void solve(const float* input, float* output, int N, int C, int H, int W) {
    int P = H * W;
    dim3 block(TILE, ROWS_PER_STEP);
    dim3 grid((P + TILE - 1) / TILE, (C + TILE - 1) / TILE, N);
    to_channels_last<<<grid, block>>>(input, output, C, P);
    cudaDeviceSynchronize();
}
