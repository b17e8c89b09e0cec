// Maximum and sum in one pass: a thread keeps a pair (m, s) and rescales s whenever m grows.
// Two pairs merge by the same rule, in warps by shuffle, then across warps: one read and one launch fewer.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;
constexpr int MAX_BLOCKS = THREADS;  // so that a block reads all partial pairs with one load per thread
constexpr float LOWEST = -3.402823466e38f;

struct __align__(8) Pair {  // aligned, so that it is loaded and stored in one piece
    float m;  // largest score so far
    float s;  // sum of exp(score - m)
};

__device__ Pair parts[MAX_BLOCKS];

__device__ Pair merge(Pair a, Pair b) {
    float m = fmaxf(a.m, b.m);
    return {m, a.s * expf(a.m - m) + b.s * expf(b.m - m)};
}

__device__ Pair warp_merge(Pair p) {  // complete in every lane
    for (int offset = 16; offset > 0; offset /= 2) {
        Pair other = {__shfl_xor_sync(0xffffffffu, p.m, offset), __shfl_xor_sync(0xffffffffu, p.s, offset)};
        p = merge(p, other);
    }
    return p;
}

__device__ Pair block_merge(Pair p) {  // complete in every thread
    __shared__ Pair warp_pairs[WARPS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    p = warp_merge(p);
    if (lane == 0) {
        warp_pairs[warp] = p;
    }
    __syncthreads();
    return warp_merge(lane < WARPS ? warp_pairs[lane] : Pair{LOWEST, 0.0f});
}

__global__ void find_pairs(const float* input, int N) {
    Pair p = {LOWEST, 0.0f};
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        p = merge(p, Pair{input[i], 1.0f});
    }
    p = block_merge(p);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = p;
    }
}

__global__ void divide(const float* input, float* output, int N) {
    Pair p = block_merge(threadIdx.x < gridDim.x ? parts[threadIdx.x] : Pair{LOWEST, 0.0f});
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        output[i] = expf(input[i] - p.m) / p.s;
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int blocks = (N + THREADS - 1) / THREADS;
    if (blocks > MAX_BLOCKS) {
        blocks = MAX_BLOCKS;
    }
    find_pairs<<<blocks, THREADS>>>(input, N);
    divide<<<blocks, THREADS>>>(input, output, N);
    cudaDeviceSynchronize();
}
