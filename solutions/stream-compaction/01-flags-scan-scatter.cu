// Three steps, each a pass over memory: write a flag per element, turn flags into places by a prefix sum,
// move the elements. The prefix sum works on blocks of 1024, then on the blocks' totals, and so on.
#include <cuda_runtime.h>

constexpr int THREADS = 1024;

__global__ void flag(const float* A, int* flags, int N) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N) {
        flags[i] = A[i] > 0.0f;
    }
}

// Replaces each block of `values` by its exclusive prefix sums and leaves its total.
__global__ void scan_blocks(int* values, int* totals, int n) {
    __shared__ int sums[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    int value = i < n ? values[i] : 0;
    sums[t] = value;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        int left = t >= d ? sums[t - d] : 0;
        __syncthreads();
        sums[t] += left;
        __syncthreads();
    }
    if (i < n) {
        values[i] = sums[t] - value;
    }
    if (t == THREADS - 1) {
        totals[blockIdx.x] = sums[t];
    }
}

__global__ void add_totals(int* values, const int* totals, int n) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) {
        values[i] += totals[blockIdx.x];
    }
}

__global__ void scatter(const float* A, const int* places, float* out, int N) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N && A[i] > 0.0f) {
        out[places[i]] = A[i];
    }
}

void scan(int* values, int n) {
    int blocks = (n + THREADS - 1) / THREADS;
    int* totals;
    cudaMalloc(&totals, blocks * sizeof(int));
    scan_blocks<<<blocks, THREADS>>>(values, totals, n);
    if (blocks > 1) {
        scan(totals, blocks);
        add_totals<<<blocks, THREADS>>>(values, totals, n);
    }
    cudaFree(totals);
}

extern "C" void solve(const float* A, int N, float* out) {
    int blocks = (N + THREADS - 1) / THREADS;
    int* places;
    cudaMalloc(&places, N * sizeof(int));
    flag<<<blocks, THREADS>>>(A, places, N);
    scan(places, N);
    scatter<<<blocks, THREADS>>>(A, places, out, N);
    cudaFree(places);
    cudaDeviceSynchronize();
}
