// Elements are divided, not rows: each block takes 1024 of them, whatever rows they belong to. Products go to
// shared memory, read 16 bytes at a time; then groups of lanes add up the rows that the share contains. Rows that
// cross the ends of a share meet in y by atomics. A pass over row_ptr tells every block where its rows begin.
#include <cuda_runtime.h>

constexpr int THREADS = 128;
constexpr int SHARE = 1024;
constexpr int ITEMS = SHARE / THREADS;
constexpr int MAX_SHARES = (1 << 27) / SHARE;

__device__ int first_row[MAX_SHARES + 1];  // the row of each share's first element

// One thread per row: clears y and notes the row for every share that begins in it.
__global__ void prepare(const int* row_ptr, float* y, int M) {
    int r = blockIdx.x * THREADS + threadIdx.x;
    if (r < M) {
        y[r] = 0.0f;
        int from = row_ptr[r], to = row_ptr[r + 1];
        for (int s = (from + SHARE - 1) / SHARE; s * SHARE < to; ++s) {
            first_row[s] = r;
        }
        if (r == M - 1) {
            first_row[(to + SHARE - 1) / SHARE] = r;  // behind the last share
        }
    }
}

__global__ void __launch_bounds__(THREADS) multiply(const int* __restrict__ row_ptr,
                                                    const int* __restrict__ col_idx,
                                                    const float* __restrict__ values,
                                                    const float* __restrict__ x, float* y, int nnz) {
    __shared__ float products[SHARE];
    int begin = blockIdx.x * SHARE, end = min(begin + SHARE, nnz), t = threadIdx.x;
    int first = first_row[blockIdx.x], count = first_row[blockIdx.x + 1] - first + 1;
    if (end == begin + SHARE) {
        int4 c[ITEMS / 4];
        float4 v[ITEMS / 4];
#pragma unroll
        for (int k = 0; k < ITEMS / 4; ++k) {
            int q = begin / 4 + k * THREADS + t;
            c[k] = __ldcs(reinterpret_cast<const int4*>(col_idx) + q);
            v[k] = __ldcs(reinterpret_cast<const float4*>(values) + q);
        }
#pragma unroll
        for (int k = 0; k < ITEMS / 4; ++k) {
            reinterpret_cast<float4*>(products)[k * THREADS + t] =
                make_float4(v[k].x * x[c[k].x], v[k].y * x[c[k].y], v[k].z * x[c[k].z], v[k].w * x[c[k].w]);
        }
    } else {
        for (int p = begin + t; p < end; p += THREADS) {
            products[p - begin] = values[p] * x[col_idx[p]];
        }
    }
    __syncthreads();

    int lanes = 32;  // per row, fewer the more rows there are
    while (lanes > 4 && lanes * count > THREADS) {
        lanes /= 2;
    }
    int lane = t % lanes, groups = THREADS / lanes;
    for (int k = 0; k < count; k += groups) {
        int r = first + k + t / lanes;
        float sum = 0.0f;
        bool is_mine = k + t / lanes < count, is_whole = false;
        if (is_mine) {
            int from = row_ptr[r], to = row_ptr[r + 1];
            is_mine = from < end;  // the next share's first row may begin where this share ends
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
    prepare<<<(M + THREADS - 1) / THREADS, THREADS>>>(row_ptr, y, M);
    multiply<<<(nnz + SHARE - 1) / SHARE, THREADS>>>(row_ptr, col_idx, values, x, y, nnz);
    cudaDeviceSynchronize();
}
