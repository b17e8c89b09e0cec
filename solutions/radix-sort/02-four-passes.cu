// Four stable passes of eight bits, lowest digit first. A pass counts the digits of every tile, scans the table of
// counts, and moves the numbers, which are put in order in shared memory before they leave.
#include <cuda_runtime.h>

constexpr int THREADS = 256, WARPS = THREADS / 32;
constexpr int ITEMS = 16;  // keys per thread; a warp owns 512 neighbouring keys
constexpr int TILE = THREADS * ITEMS;
constexpr unsigned ALL = 0xffffffffu;

__device__ int block_scan(int value, int& total) {  // exclusive
    __shared__ int warps[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = value;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL, sum, d);
        sum += lane >= d ? left : 0;
    }
    __syncthreads();
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    int before = 0;
    total = 0;
    for (int w = 0; w < WARPS; ++w) {
        before += w < warp ? warps[w] : 0;
        total += warps[w];
    }
    return before + sum - value;
}

// table[d * tiles + t]: keys with digit d in tile t.
__global__ void count(const unsigned* keys, int* table, int N, int shift) {
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < ITEMS; ++k) {
        int i = blockIdx.x * TILE + k * THREADS + threadIdx.x;
        if (i < N) {
            atomicAdd(&bins[keys[i] >> shift & 255], 1);
        }
    }
    __syncthreads();
    table[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void scan_blocks(int* values, int* totals, int n) {
    int i = blockIdx.x * THREADS + threadIdx.x, total;
    int place = block_scan(i < n ? values[i] : 0, total);
    if (i < n) values[i] = place;
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

__global__ void add_totals(int* values, const int* totals, int n) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) values[i] += totals[blockIdx.x];
}

void scan(int* values, int n) {
    int blocks = (n + THREADS - 1) / THREADS;
    int* totals;
    cudaMalloc(&totals, blocks * sizeof(int));
    scan_blocks<<<blocks, THREADS>>>(values, totals, n);
    if (blocks > 1) {
        scan(totals, blocks);
        add_totals<<<blocks, THREADS>>>(values, totals, n);
    }
    cudaFree(totals);
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

__global__ void __launch_bounds__(THREADS) move(const unsigned* __restrict__ keys, unsigned* output,
                                                const int* table, int N, int shift) {
    __shared__ unsigned sorted[TILE];
    __shared__ int shifts[256];  // from a key's place in the tile to its place in the output
    __shared__ int counts[WARPS][256];  // first of each warp's keys, then where they begin
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, t = threadIdx.x;
    for (int w = 0; w < WARPS; ++w) {
        counts[w][t] = 0;
    }
    __syncthreads();
    int first = blockIdx.x * TILE + warp * 32 * ITEMS + lane;
    unsigned key[ITEMS];
    int rank[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        key[k] = first + 32 * k < N ? keys[first + 32 * k] : 0;
    }
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        rank[k] = rank_in_warp(key[k] >> shift & 255, first + 32 * k < N, counts[warp]);
    }
    __syncthreads();
    int sum = 0, total;  // thread t sees to digit t
    for (int w = 0; w < WARPS; ++w) {
        int count = counts[w][t];
        counts[w][t] = sum;
        sum += count;
    }
    int begin = block_scan(sum, total);
    shifts[t] = table[t * gridDim.x + blockIdx.x] - begin;
    for (int w = 0; w < WARPS; ++w) {
        counts[w][t] += begin;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        if (first + 32 * k < N) {
            sorted[counts[warp][key[k] >> shift & 255] + rank[k]] = key[k];
        }
    }
    __syncthreads();
    for (int i = t; i < total; i += THREADS) {
        output[shifts[sorted[i] >> shift & 255] + i] = sorted[i];
    }
}

extern "C" void solve(const unsigned int* input, unsigned int* output, int N) {
    int tiles = (N + TILE - 1) / TILE;
    int* table;
    unsigned* scratch;
    cudaMalloc(&table, (size_t)tiles * 256 * sizeof(int));
    cudaMalloc(&scratch, (size_t)N * sizeof(unsigned));
    for (int pass = 0; pass < 4; ++pass) {
        const unsigned* from = pass == 0 ? input : pass % 2 ? scratch : output;
        unsigned* to = pass % 2 ? output : scratch;
        count<<<tiles, THREADS>>>(from, table, N, 8 * pass);
        scan(table, tiles * 256);
        move<<<tiles, THREADS>>>(from, to, table, N, 8 * pass);
    }
    cudaFree(table);
    cudaFree(scratch);
    cudaDeviceSynchronize();
}
