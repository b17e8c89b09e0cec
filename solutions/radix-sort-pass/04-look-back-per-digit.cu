// No table: one kernel counts the digits of the whole input, and tiles learn from their predecessors how many keys
// of each digit come before (decoupled look-back, one thread per digit). Counts pass through the cache instead of
// three kernels, and tiles grow to 8192 keys, so that runs of equal digits are twice as long.
#include <cuda_runtime.h>

constexpr int THREADS = 512, WARPS = THREADS / 32;
constexpr int ITEMS = 16;
constexpr int TILE = THREADS * ITEMS;
constexpr unsigned ALL = 0xffffffffu;
constexpr unsigned COUNT = 1u << 30, PREFIX = 2u << 30, VALUE = COUNT - 1;  // upper bits say what a word is

__device__ int totals[256];  // keys of each digit
__device__ unsigned next_tile;

__device__ int scan_256(int value) {  // exclusive, over the first 256 threads; all call it
    __shared__ int warps[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = value;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL, sum, d);
        sum += lane >= d ? left : 0;
    }
    __syncthreads();
    if (lane == 31) {
        warps[warp] = sum;
    }
    __syncthreads();
    for (int w = 0; w < min(warp, 8); ++w) {
        sum += warps[w];
    }
    return sum - value;
}

__global__ void reset() {
    totals[threadIdx.x] = 0;
    if (threadIdx.x == 0) next_tile = 0;
}

__global__ void count(const unsigned* __restrict__ keys, int N, int shift) {
    __shared__ int bins[WARPS][256];
    int warp = threadIdx.x / 32;
    for (int k = threadIdx.x; k < WARPS * 256; k += THREADS) bins[0][k] = 0;
    __syncthreads();
    int thread = blockIdx.x * THREADS + threadIdx.x;
    for (int q = thread; q < N / 4; q += gridDim.x * THREADS) {
        uint4 v = reinterpret_cast<const uint4*>(keys)[q];
        atomicAdd(&bins[warp][v.x >> shift & 255], 1);
        atomicAdd(&bins[warp][v.y >> shift & 255], 1);
        atomicAdd(&bins[warp][v.z >> shift & 255], 1);
        atomicAdd(&bins[warp][v.w >> shift & 255], 1);
    }
    if (thread < N % 4) atomicAdd(&bins[warp][keys[N / 4 * 4 + thread] >> shift & 255], 1);
    __syncthreads();
    if (threadIdx.x < 256) {
        int sum = 0;
        for (int w = 0; w < WARPS; ++w) sum += bins[w][threadIdx.x];
        if (sum > 0) atomicAdd(&totals[threadIdx.x], sum);
    }
}

// Ranks one key of each lane among its warp's keys of the same digit, and counts them in `mine`.
__device__ int rank_in_warp(int digit, bool is_key, int* mine) {
    unsigned peers = __ballot_sync(ALL, is_key);
#pragma unroll
    for (int bit = 0; bit < 8; ++bit) {
        unsigned ones = __ballot_sync(ALL, digit >> bit & 1);
        peers &= digit >> bit & 1 ? ones : ~ones;
    }
    int lane = threadIdx.x % 32, before = is_key ? mine[digit] : 0;
    __syncwarp();
    if (is_key && __ffs(peers) - 1 == lane) {
        mine[digit] = before + __popc(peers);
    }
    __syncwarp();
    return before + __popc(peers & ((1u << lane) - 1));
}

// How many keys of digit `threadIdx.x` lie before `tile`.
__device__ int look_back(const unsigned* published, int tile) {
    int before = 0;
    for (int back = tile - 1; back >= 0; --back) {
        unsigned word;
        do {
            word = *(const volatile unsigned*)&published[back * 256 + threadIdx.x];
        } while (word == 0);
        before += word & VALUE;
        if (word & PREFIX) break;
    }
    return before;
}

__global__ void __launch_bounds__(THREADS) move(const unsigned* __restrict__ keys, unsigned* output,
                                                unsigned* published, int N, int shift) {
    __shared__ unsigned sorted[TILE];
    __shared__ int shifts[256], my_tile;
    int(*counts)[256] = reinterpret_cast<int(*)[256]>(sorted);  // of each warp, until the tile is sorted
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, t = threadIdx.x;
    for (int k = t; k < WARPS * 256; k += THREADS) counts[0][k] = 0;
    if (t == 0) my_tile = atomicAdd(&next_tile, 1u);
    __syncthreads();
    int tile = my_tile, first = tile * TILE + warp * 32 * ITEMS + lane;
    unsigned key[ITEMS];
    int rank[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) key[k] = first + 32 * k < N ? keys[first + 32 * k] : 0;
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        rank[k] = rank_in_warp(key[k] >> shift & 255, first + 32 * k < N, counts[warp]);
    }
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < WARPS && t < 256; ++w) {
        int count = counts[w][t];
        counts[w][t] = sum;
        sum += count;
    }
    if (t < 256) atomicExch(&published[tile * 256 + t], (tile == 0 ? PREFIX : COUNT) | sum);
    int begin = scan_256(t < 256 ? sum : 0), start = scan_256(t < 256 ? totals[t] : 0);
    for (int w = 0; w < WARPS && t < 256; ++w) counts[w][t] += begin;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        if (first + 32 * k < N) rank[k] += counts[warp][key[k] >> shift & 255];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        if (first + 32 * k < N) sorted[rank[k]] = key[k];
    }
    if (t < 256) {
        int before = look_back(published, tile);
        if (tile > 0) atomicExch(&published[tile * 256 + t], PREFIX | (before + sum));
        shifts[t] = start + before - begin;
    }
    __syncthreads();
    for (int i = t; i < min(TILE, N - tile * TILE); i += THREADS) {
        output[shifts[sorted[i] >> shift & 255] + i] = sorted[i];
    }
}

extern "C" void solve(const unsigned int* input, unsigned int* output, int N, int shift) {
    int tiles = (N + TILE - 1) / TILE;
    unsigned* published;  // for each tile and digit
    cudaMalloc(&published, (size_t)tiles * 256 * sizeof(unsigned));
    cudaMemset(published, 0, (size_t)tiles * 256 * sizeof(unsigned));
    reset<<<1, 256>>>();
    count<<<tiles < 132 * 4 ? tiles : 132 * 4, THREADS>>>(input, N, shift);
    move<<<tiles, THREADS>>>(input, output, published, N, shift);
    cudaFree(published);
    cudaDeviceSynchronize();
}
