// Each thread transposes a 4x4 square in registers, so global and shared memory are both moved in 128-bit
// pieces. The 64x64 tile in shared memory is swizzled in units of 16 bytes: piece p of row r is kept at
// p ^ (r / 4), which makes every quarter-warp of a 128-bit access hit all 32 banks once.
#include <cuda_runtime.h>

constexpr int TILE = 64;
constexpr int PIECES = TILE / 4;  // 16-byte pieces in a tile row; also the block's width and height

// Four neighbours of a row. Rows start 16-byte aligned only where their length is a multiple of four.
__device__ float4 load4(const float* row, int col, int cols) {
    if (cols % 4 == 0) {
        return col < cols ? __ldcs(reinterpret_cast<const float4*>(row + col)) : make_float4(0, 0, 0, 0);
    }
    return make_float4(col < cols ? row[col] : 0, col + 1 < cols ? row[col + 1] : 0,
                       col + 2 < cols ? row[col + 2] : 0, col + 3 < cols ? row[col + 3] : 0);
}

__device__ void store4(float* row, int col, int cols, float4 v) {
    if (cols % 4 == 0) {
        if (col < cols) __stcs(reinterpret_cast<float4*>(row + col), v);
        return;
    }
    if (col < cols) row[col] = v.x;
    if (col + 1 < cols) row[col + 1] = v.y;
    if (col + 2 < cols) row[col + 2] = v.z;
    if (col + 3 < cols) row[col + 3] = v.w;
}

__global__ void transpose(const float* __restrict__ input, float* __restrict__ output, int rows, int cols) {
    __shared__ float4 tile[TILE][PIECES];
    int x = threadIdx.x, y = threadIdx.y;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;

    float4 in[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int row = row0 + 4 * y + k;
        in[k] = row < rows ? load4(input + (size_t)row * cols, col0 + 4 * x, cols) : make_float4(0, 0, 0, 0);
    }
    // Tile row = input column. (4x + k) / 4 is x.
    tile[4 * x + 0][y ^ x] = make_float4(in[0].x, in[1].x, in[2].x, in[3].x);
    tile[4 * x + 1][y ^ x] = make_float4(in[0].y, in[1].y, in[2].y, in[3].y);
    tile[4 * x + 2][y ^ x] = make_float4(in[0].z, in[1].z, in[2].z, in[3].z);
    tile[4 * x + 3][y ^ x] = make_float4(in[0].w, in[1].w, in[2].w, in[3].w);
    __syncthreads();

#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int r = y + PIECES * k;
        if (col0 + r < cols) {
            store4(output + (size_t)(col0 + r) * rows, row0 + 4 * x, rows, tile[r][x ^ (r / 4)]);
        }
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(PIECES, PIECES);
    dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    transpose<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
