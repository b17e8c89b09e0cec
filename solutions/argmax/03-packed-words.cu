// A pair becomes one 64-bit word, the value above the inverted index, so that the larger word is the better
// pair and one comparison decides both. Threads stride over the input, warps combine by shuffles, and blocks
// meet in one atomicMax each.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int MAX_BLOCKS = 132 * 8;
constexpr unsigned ALL = 0xffffffffu;

using Word = unsigned long long;

__device__ Word best;

__device__ Word pack(float value, int index) {
    unsigned bits = __float_as_uint(value + 0.0f);  // -0 becomes 0
    unsigned ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (Word)ordered << 32 | ~(unsigned)index;
}

__device__ Word warp_max(Word word) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
        word = max(word, __shfl_down_sync(ALL, word, d));
    }
    return word;
}

__global__ void reset() {
    best = 0;
}

__global__ void reduce(const float* input, int N) {
    __shared__ Word warps[THREADS / 32];
    Word word = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        word = max(word, pack(input[i], i));
    }
    word = warp_max(word);
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = word;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        word = warp_max(threadIdx.x < THREADS / 32 ? warps[threadIdx.x] : 0);
        if (threadIdx.x == 0) {
            atomicMax(&best, word);
        }
    }
}

__global__ void unpack(int* output) {
    output[0] = (int)~(unsigned)best;
}

extern "C" void solve(const float* input, int* output, int N) {
    int blocks = (N + THREADS - 1) / THREADS;
    reset<<<1, 1>>>();
    reduce<<<blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS, THREADS>>>(input, N);
    unpack<<<1, 1>>>(output);
    cudaDeviceSynchronize();
}
