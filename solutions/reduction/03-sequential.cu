// The tree folds the upper half onto the lower: thread t adds element t + s.
// Neighbouring threads now touch neighbouring words: packed warps and no bank conflicts.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void block_sums(const float* from, float* to, int n) {
    __shared__ float sums[THREADS];
    int tid = threadIdx.x;
    int i = blockIdx.x * THREADS + tid;
    sums[tid] = i < n ? from[i] : 0.0f;
    __syncthreads();

    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) {
            sums[tid] += sums[tid + s];
        }
        __syncthreads();
    }

    if (tid == 0) {
        to[blockIdx.x] = sums[0];
    }
}

// Each pass shrinks n values to one per block; passes repeat until one value, the sum, is left.
extern "C" void solve(const float* input, float* output, int N) {
    int per_block = THREADS;
    int blocks = (N + per_block - 1) / per_block;
    float* scratch;
    cudaMalloc(&scratch, 2 * (size_t)blocks * sizeof(float));  // every pass's results, one after the other
    const float* from = input;
    float* next = scratch;
    int n = N;
    while (blocks > 1) {
        block_sums<<<blocks, THREADS>>>(from, next, n);
        from = next;
        next += blocks;
        n = blocks;
        blocks = (n + per_block - 1) / per_block;
    }
    block_sums<<<1, THREADS>>>(from, output, n);
    cudaDeviceSynchronize();
    cudaFree(scratch);
}
