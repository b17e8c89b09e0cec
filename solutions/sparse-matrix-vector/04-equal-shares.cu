// Elements are divided, not rows: each block takes 2048 of them, whatever rows they belong to. Products go to
// shared memory in coalesced order; then groups of lanes add up the rows that the share contains. Rows that
// cross the ends of a share meet in y by atomics.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int SHARE = 2048;
constexpr int ITEMS = SHARE / THREADS;

// The last row that starts at or before element p.
__device__ int row_of(const int* row_ptr, int M, int p) {
    int low = 0, high = M - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (row_ptr[middle] <= p) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

__global__ void clear(float* y, int M) {
    int r = blockIdx.x * THREADS + threadIdx.x;
    if (r < M) {
        y[r] = 0.0f;
    }
}

__global__ void __launch_bounds__(THREADS) multiply(const int* __restrict__ row_ptr,
                                                    const int* __restrict__ col_idx,
                                                    const float* __restrict__ values,
                                                    const float* __restrict__ x, float* y, int M, int nnz) {
    __shared__ float products[SHARE];
    __shared__ int rows[2];
    int begin = blockIdx.x * SHARE, end = min(begin + SHARE, nnz), t = threadIdx.x;
    int column[ITEMS];
    float value[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        int p = begin + k * THREADS + t;
        column[k] = p < end ? __ldcs(col_idx + p) : 0;
        value[k] = p < end ? __ldcs(values + p) : 0.0f;
    }
    if (t % 32 == 0 && t < 64) {  // two warps search, each for one end
        rows[t / 32] = row_of(row_ptr, M, t == 0 ? begin : end - 1);
    }
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        products[k * THREADS + t] = value[k] * x[column[k]];
    }
    __syncthreads();

    int first = rows[0], count = rows[1] - first + 1;
    int lanes = 32;  // per row, fewer the more rows there are
    while (lanes > 1 && lanes * count > THREADS) {
        lanes /= 2;
    }
    int lane = t % lanes, groups = THREADS / lanes;
    for (int k = 0; k < count; k += groups) {
        int r = first + k + t / lanes;
        float sum = 0.0f;
        bool is_mine = k + t / lanes < count, is_whole = false;
        if (is_mine) {
            int from = row_ptr[r], to = row_ptr[r + 1];
            is_whole = from >= begin && to <= end;
            for (int p = max(from, begin) + lane; p < min(to, end); p += lanes) {
                sum += products[p - begin];
            }
        }
        for (int d = lanes / 2; d > 0; d /= 2) {
            sum += __shfl_down_sync(0xffffffffu, sum, d);
        }
        if (lane == 0 && is_mine && is_whole) {
            y[r] = sum;
        } else if (lane == 0 && is_mine) {
            atomicAdd(&y[r], sum);
        }
    }
}

extern "C" void solve(const int* row_ptr, const int* col_idx, const float* values, const float* x, float* y, int M,
                      int N, int nnz) {
    clear<<<(M + THREADS - 1) / THREADS, THREADS>>>(y, M);
    multiply<<<(nnz + SHARE - 1) / SHARE, THREADS>>>(row_ptr, col_idx, values, x, y, M, nnz);
    cudaDeviceSynchronize();
}
