// Half the threads of the first step never added anything: let every thread add two elements as it loads them.
// A block covers 512 elements, so half as many blocks, barriers and partial sums are needed.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void block_sums(const float* from, float* to, int n) {
    __shared__ float sums[THREADS];
    int tid = threadIdx.x;
    int i = blockIdx.x * (2 * THREADS) + tid;
    float sum = i < n ? from[i] : 0.0f;
    if (i + THREADS < n) {
        sum += from[i + THREADS];
    }
    sums[tid] = sum;
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
    int per_block = 2 * THREADS;
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
