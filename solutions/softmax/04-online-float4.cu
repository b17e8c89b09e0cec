// Four scores per 128-bit load, reduced to a pair before the running pair is touched: five exponentials
// for four scores instead of eight. Warps agree on the largest score first, so a lane rescales once, not
// five times. The second kernel requests its scores before it waits for the pairs, and divides once.
#include <cuda_runtime.h>

constexpr int THREADS = 512;
constexpr int WARPS = THREADS / 32;
constexpr int MAX_BLOCKS = 132 * 2;  // two blocks on each of an H200's multiprocessors
static_assert(MAX_BLOCKS <= THREADS, "a block reads all partial pairs with one load per thread");
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
    float m = p.m;
    for (int offset = 16; offset > 0; offset /= 2) {
        m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, offset));
    }
    float s = p.s * expf(p.m - m);
    for (int offset = 16; offset > 0; offset /= 2) {
        s += __shfl_xor_sync(0xffffffffu, s, offset);
    }
    return {m, s};
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

__device__ Pair include(Pair p, float4 v) {
    float m = fmaxf(p.m, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    float s = (expf(v.x - m) + expf(v.y - m)) + (expf(v.z - m) + expf(v.w - m));
    return {m, p.s * expf(p.m - m) + s};
}

__device__ float4 softmax4(float4 v, float m, float scale) {
    return make_float4(expf(v.x - m) * scale, expf(v.y - m) * scale, expf(v.z - m) * scale, expf(v.w - m) * scale);
}

__global__ void find_pairs(const float* __restrict__ input, int N) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    int quads = N / 4;
    Pair p = {LOWEST, 0.0f};
    for (int q = i; q < quads; q += gridDim.x * THREADS) {
        p = include(p, reinterpret_cast<const float4*>(input)[q]);
    }
    if (i < N % 4) {  // the one to three elements left over
        p = merge(p, Pair{input[quads * 4 + i], 1.0f});
    }
    p = block_merge(p);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = p;
    }
}

__global__ void scale(const float* __restrict__ input, float* __restrict__ output, int N) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    int quads = N / 4;
    float4 v = i < quads ? reinterpret_cast<const float4*>(input)[i] : make_float4(0, 0, 0, 0);
    Pair p = block_merge(threadIdx.x < gridDim.x ? parts[threadIdx.x] : Pair{LOWEST, 0.0f});
    float factor = 1.0f / p.s;
    for (int q = i; q < quads;) {
        reinterpret_cast<float4*>(output)[q] = softmax4(v, p.m, factor);
        q += gridDim.x * THREADS;
        if (q < quads) {
            v = reinterpret_cast<const float4*>(input)[q];
        }
    }
    if (i < N % 4) {
        output[quads * 4 + i] = expf(input[quads * 4 + i] - p.m) * factor;
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int blocks = (N / 4 + THREADS) / THREADS;
    if (blocks > MAX_BLOCKS) {
        blocks = MAX_BLOCKS;
    }
    find_pairs<<<blocks, THREADS>>>(input, N);
    scale<<<blocks, THREADS>>>(input, output, N);
    cudaDeviceSynchronize();
}
