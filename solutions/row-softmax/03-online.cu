// Maximum and sum in one pass: a thread keeps a pair (m, s) and rescales s whenever m grows. The pairs of a
// warp agree on the largest m by shuffle, rescale once and add up; two barriers a row are left.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;
constexpr float LOWEST = -3.402823466e38f;  // finite: -infinity minus -infinity is not a number

struct __align__(8) Pair {  // aligned, so that it is loaded and stored in one piece
    float m;  // largest score so far
    float s;  // sum of exp(score - m)
};

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

__global__ void softmax(const float* input, float* output, int cols) {
    const float* x = input + (size_t)blockIdx.x * cols;
    float* y = output + (size_t)blockIdx.x * cols;
    Pair p = {LOWEST, 0.0f};
    for (int c = threadIdx.x; c < cols; c += THREADS) {
        float score = x[c];
        float m = fmaxf(p.m, score);
        p = {m, p.s * expf(p.m - m) + expf(score - m)};
    }
    p = block_merge(p);
    for (int c = threadIdx.x; c < cols; c += THREADS) {
        y[c] = expf(x[c] - p.m) / p.s;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    softmax<<<rows, THREADS>>>(input, output, cols);
    cudaDeviceSynchronize();
}
