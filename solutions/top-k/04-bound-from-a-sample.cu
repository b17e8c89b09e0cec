// The k-th largest of a sample bounds the k-th largest of all from below, so one pass drops nearly everything.
// Blocks keep the rest in shared memory and, when they have too many, reduce it to their own k largest, which
// raises their bound. The last block picks the winners among what all blocks kept.
#include <cuda_runtime.h>

constexpr int THREADS = 512, MAX_BLOCKS = 132 * 3, MAX_K = 1024;
constexpr int QUADS = 4, CHUNK = THREADS * QUADS * 4;  // elements that a block reads at a time
constexpr int ROOM = CHUNK + 2048;                     // survivors that a block can hold
constexpr int SAMPLERS = 128, PIECES = 16;             // the sample: 2048 stretches of 1024, spread over the input

__device__ unsigned largest[MAX_K];  // of the sample's 1024 groups: k groups bring k elements
__device__ unsigned kept[MAX_BLOCKS * MAX_K], finished;
__device__ int total;  // like `largest` and `finished` zero again after each run

__device__ unsigned ordered(float value) {  // keeps the order of floats
    unsigned bits = __float_as_uint(value + 0.0f);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ float restored(unsigned key) { return __uint_as_float(key >> 31 ? key & 0x7fffffffu : ~key); }

// The k-th largest of n keys, byte by byte; `k` becomes how many keys equal to it are among the k largest.
__device__ unsigned kth_largest(const volatile unsigned* keys, int n, int& k) {
    __shared__ int bins[256], digit, missing;
    unsigned found = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        if (threadIdx.x < 256) bins[threadIdx.x] = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += THREADS) {
            unsigned key = keys[i];
            if ((key ^ found) >> shift >> 8 == 0) atomicAdd(&bins[key >> shift & 255], 1);
        }
        __syncthreads();
        if (threadIdx.x < 32) {  // lane l looks at bins 8 l to 8 l + 7
            int lane = threadIdx.x, sum = 0;
            for (int b = 0; b < 8; ++b) sum += bins[8 * lane + b];
            int above = sum;
            for (int d = 1; d < 32; d *= 2) {
                int other = __shfl_down_sync(0xffffffffu, above, d);
                above += lane + d < 32 ? other : 0;
            }
            above -= sum;
            if (above < k && k <= above + sum) {
                int b = 8 * lane + 7;
                for (; above + bins[b] < k; --b) above += bins[b];
                digit = b;
                missing = k - above;
            }
        }
        __syncthreads();
        found |= (unsigned)digit << shift;
        k = missing;
    }
    return found;
}

// Moves the k largest of n keys, k or more, to the front, in any order. Returns the smallest of them.
__device__ unsigned reduce(volatile unsigned* keys, int n, int k) {
    __shared__ unsigned best[MAX_K];
    __shared__ int count;
    int equal = k;
    if (threadIdx.x == 0) count = 0;
    unsigned smallest = kth_largest(keys, n, equal);
    for (int i = threadIdx.x; i < n; i += THREADS) {
        unsigned key = keys[i];
        if (key > smallest) best[atomicAdd(&count, 1)] = key;
    }
    for (int i = threadIdx.x; i < equal; i += THREADS) best[k - 1 - i] = smallest;
    __syncthreads();
    for (int i = threadIdx.x; i < k; i += THREADS) keys[i] = best[i];
    __syncthreads();
    return smallest;
}

__global__ void __launch_bounds__(THREADS) sample(const float* __restrict__ input, int N, int pieces) {
    for (int group = threadIdx.x; group < MAX_K; group += THREADS) {
        float value = -INFINITY;
#pragma unroll 4
        for (int p = 0; p < pieces; ++p) {
            value = max(value, input[(blockIdx.x * pieces + p) * (N / (SAMPLERS * pieces)) + group]);
        }
        atomicMax(&largest[group], ordered(value));
    }
}

__global__ void __launch_bounds__(THREADS) select(const float* __restrict__ input, float* output, int N, int k,
                                                  int pieces) {
    __shared__ unsigned keys[ROOM];
    __shared__ int count, base;
    if (threadIdx.x == 0) count = 0;
    int equal = k;
    float limit = pieces > 0 ? restored(kth_largest(largest, MAX_K, equal)) : -INFINITY;
    __syncthreads();
    for (int start = blockIdx.x * CHUNK; start < N; start += gridDim.x * CHUNK) {
        float v[4 * QUADS];
#pragma unroll
        for (int q = 0; q < QUADS; ++q) {
            int i = start + (q * THREADS + threadIdx.x) * 4;
            float4& x = reinterpret_cast<float4*>(v)[q];
            if (i + 3 < N) {
                x = __ldcs(reinterpret_cast<const float4*>(input + i));
            } else {  // NAN is not above anything
                for (int c = 0; c < 4; ++c) v[4 * q + c] = i + c < N ? input[i + c] : NAN;
            }
        }
        bool is_full = false;
#pragma unroll
        for (int c = 0; c < 4 * QUADS; ++c) {
            if (!(v[c] >= limit)) continue;
            int place = atomicAdd(&count, 1);
            keys[place] = ordered(v[c]);
            is_full |= place >= ROOM - CHUNK;
        }
        if (__syncthreads_or(is_full)) {
            limit = restored(reduce(keys, count, k) + 1);  // k are there: equal ones are no longer needed
            if (threadIdx.x == 0) count = k;
            __syncthreads();
        }
    }
    __syncthreads();
    int n = min(count, k);
    if (count > k) reduce(keys, count, k);
    if (threadIdx.x == 0) base = atomicAdd(&total, n);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS) kept[base + i] = keys[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(&finished, 1u) == gridDim.x - 1 ? atomicAdd(&total, 0) : 0;
    __syncthreads();
    if (base == 0) return;
    for (int i = threadIdx.x; i < MAX_K; i += THREADS) largest[i] = 0;
    if (threadIdx.x == 0) total = 0, finished = 0;
    reduce(kept, base, k);
    for (int i = threadIdx.x; i < k; i += THREADS) keys[i] = kept[i];
    __syncthreads();
    for (int i = threadIdx.x; i < k; i += THREADS) {  // each winner counts those before it
        int place = 0;
        for (int j = 0; j < k; ++j) place += keys[j] > keys[i] || (keys[j] == keys[i] && j < i);
        output[place] = restored(keys[i]);
    }
}

extern "C" void solve(const float* input, float* output, int N, int k) {
    int blocks = min((N + CHUNK - 1) / CHUNK, MAX_BLOCKS);
    int pieces = min(PIECES, N / (2 * SAMPLERS * MAX_K));  // half of the input at most
    if (pieces > 0) sample<<<SAMPLERS, THREADS>>>(input, N, pieces);
    select<<<blocks, THREADS>>>(input, output, N, k, pieces);
    cudaDeviceSynchronize();
}
