// One launch. Four 128-bit loads per thread are in flight; in the loop only floats are compared, and a
// pair is packed once per thread at the end. The block that finishes last combines what the others left.
#include <cuda_runtime.h>

constexpr int THREADS = 512;
constexpr int MAX_BLOCKS = 132 * 4;
constexpr int UNROLL = 4;
constexpr unsigned ALL = 0xffffffffu;

using Word = unsigned long long;

__device__ Word partial[MAX_BLOCKS];
__device__ unsigned finished;  // back at zero after each run

__device__ Word pack(float value, int index) {
    unsigned bits = __float_as_uint(value + 0.0f);  // -0 becomes 0
    unsigned ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (Word)ordered << 32 | ~(unsigned)index;
}

__device__ Word block_max(Word word) {  // in thread 0
    __shared__ Word warps[THREADS / 32];
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
        word = max(word, __shfl_down_sync(ALL, word, d));
    }
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = word;
    }
    __syncthreads();
    word = threadIdx.x < THREADS / 32 ? warps[threadIdx.x] : 0;
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
        word = max(word, __shfl_down_sync(ALL, word, d));
    }
    return word;
}

__device__ void take(float4 v, int i, float& value, int& index) {  // ascending, so the first of equals stays
    if (v.x > value) value = v.x, index = i;
    if (v.y > value) value = v.y, index = i + 1;
    if (v.z > value) value = v.z, index = i + 2;
    if (v.w > value) value = v.w, index = i + 3;
}

__global__ void __launch_bounds__(THREADS) reduce(const float* __restrict__ input, int* output, int N) {
    __shared__ bool last;
    const float4* input4 = reinterpret_cast<const float4*>(input);
    int thread = blockIdx.x * THREADS + threadIdx.x, stride = gridDim.x * THREADS, quads = N / 4;
    float value = -INFINITY;
    int index = thread < quads ? 4 * thread : N;  // holds if everything is minus infinity
    int q = thread;
    for (; q + (UNROLL - 1) * stride < quads; q += UNROLL * stride) {
        float4 v[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; ++k) {
            v[k] = __ldcs(input4 + q + k * stride);
        }
#pragma unroll
        for (int k = 0; k < UNROLL; ++k) {
            take(v[k], 4 * (q + k * stride), value, index);
        }
    }
    for (; q < quads; q += stride) {
        take(input4[q], 4 * q, value, index);
    }
    Word word = index < N ? pack(value, index) : 0;
    if (thread < N % 4) {  // the one to three elements left over
        word = max(word, pack(input[quads * 4 + thread], quads * 4 + thread));
    }
    word = block_max(word);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = word;
        __threadfence();
        last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        word = 0;
        for (int b = threadIdx.x; b < gridDim.x; b += THREADS) {
            word = max(word, *(volatile Word*)&partial[b]);
        }
        word = block_max(word);
        if (threadIdx.x == 0) {
            output[0] = (int)~(unsigned)word;
            finished = 0;
        }
    }
}

extern "C" void solve(const float* input, int* output, int N) {
    int blocks = (N / 4 + THREADS) / THREADS;
    reduce<<<blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS, THREADS>>>(input, output, N);
    cudaDeviceSynchronize();
}
