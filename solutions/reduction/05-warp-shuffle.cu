// A warp adds its 32 values through registers: five shuffles, no shared memory and no barrier.
// Only one value per warp goes through shared memory, and one barrier replaces eight.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    return value;  // complete in lane 0
}

__global__ void block_sums(const float* from, float* to, int n) {
    __shared__ float warp_sums[THREADS / 32];
    int tid = threadIdx.x;
    int i = blockIdx.x * (2 * THREADS) + tid;
    float sum = i < n ? from[i] : 0.0f;
    if (i + THREADS < n) {
        sum += from[i + THREADS];
    }

    sum = warp_sum(sum);
    if (tid % 32 == 0) {
        warp_sums[tid / 32] = sum;
    }
    __syncthreads();
    if (tid < 32) {
        sum = warp_sum(tid < THREADS / 32 ? warp_sums[tid] : 0.0f);
        if (tid == 0) {
            to[blockIdx.x] = sum;
        }
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
