// The largest element, then the largest of the rest, and so on: k reductions over the whole input. A 64-bit
// word holds the value's ordered bits and the inverted index, so all words differ and "the rest" is what is below
// the last winner.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int MAX_BLOCKS = 132 * 8;
constexpr int MAX_K = 1024;
constexpr unsigned ALL = 0xffffffffu;

using Word = unsigned long long;

__device__ Word winners[MAX_K];

__device__ Word pack(float value, int index) {
    unsigned bits = __float_as_uint(value);
    return (Word)(bits & 0x80000000u ? ~bits : bits | 0x80000000u) << 32 | ~(unsigned)index;
}

__global__ void reset() {
    winners[threadIdx.x] = 0;
}

__global__ void find(const float* input, int N, int place) {
    __shared__ Word warps[THREADS / 32];
    Word limit = place == 0 ? ~(Word)0 : winners[place - 1];
    Word best = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        Word word = pack(input[i], i);
        best = word < limit ? max(best, word) : best;
    }
    for (int d = 16; d > 0; d /= 2) {
        best = max(best, __shfl_down_sync(ALL, best, d));
    }
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = best;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; ++w) {
            best = max(best, warps[w]);
        }
        atomicMax(&winners[place], best);
    }
}

__global__ void unpack(float* output) {
    unsigned bits = (unsigned)(winners[threadIdx.x] >> 32);
    output[threadIdx.x] = __uint_as_float(bits & 0x80000000u ? bits & 0x7fffffffu : ~bits);
}

extern "C" void solve(const float* input, float* output, int N, int k) {
    int blocks = (N + THREADS - 1) / THREADS;
    reset<<<1, k>>>();
    for (int place = 0; place < k; ++place) {
        find<<<blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS, THREADS>>>(input, N, place);
    }
    unpack<<<1, k>>>(output);
    cudaDeviceSynchronize();
}
