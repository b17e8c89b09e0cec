// One pass: a tile publishes its count at once, then its first warp looks back over its predecessors, 32 at a
// time, until one has published how many survive up to its end. The input is read once.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;
constexpr int ITEMS = 8;  // neighbouring warps take neighbouring runs of 256 elements
constexpr int TILE = THREADS * ITEMS;
constexpr int MAX_TILES = (1 << 27) / TILE;
constexpr unsigned ALL = 0xffffffffu;

constexpr unsigned COUNT = 1u << 30, PREFIX = 2u << 30, VALUE = COUNT - 1;  // upper bits say what a word is

__device__ unsigned published[MAX_TILES];
__device__ unsigned next_tile;

__device__ int warp_sum(int value) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
        value += __shfl_xor_sync(ALL, value, d);
    }
    return value;
}

// Called by a whole warp: how many survive in all tiles before `tile`.
__device__ int look_back(int tile) {
    int before = 0;
    for (int back = tile - 1 - (int)threadIdx.x;; back -= 32) {
        unsigned word = PREFIX;  // before the first tile lies nothing
        do {
            if (back >= 0) {
                word = *(volatile unsigned*)&published[back];
            }
        } while (__any_sync(ALL, word == 0));
        unsigned finished = __ballot_sync(ALL, (word & PREFIX) != 0);
        int nearest = finished ? __ffs(finished) - 1 : 31;
        before += warp_sum((int)threadIdx.x <= nearest ? (int)(word & VALUE) : 0);
        if (finished) {
            return before;
        }
    }
}

__global__ void reset(int tiles) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < tiles) {
        published[i] = 0;
    }
    if (i == 0) {
        next_tile = 0;
    }
}

__global__ void __launch_bounds__(THREADS) compact(const float* __restrict__ A, int N, float* out) {
    __shared__ int my_tile, my_before;
    __shared__ int warps[WARPS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        my_tile = atomicAdd(&next_tile, 1u);  // in order of starting: predecessors are running or done
    }
    __syncthreads();
    int tile = my_tile;
    int first = tile * TILE + warp * 32 * ITEMS + lane;
    float value[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        value[k] = first + 32 * k < N ? A[first + 32 * k] : 0.0f;
    }
    int rank[ITEMS], count = 0;  // places within the warp's run
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        unsigned kept = __ballot_sync(ALL, value[k] > 0.0f);
        rank[k] = count + __popc(kept & ((1u << lane) - 1));
        count += __popc(kept);
    }
    if (lane == 0) {
        warps[warp] = count;
    }
    __syncthreads();
    int before = 0, total = 0;
#pragma unroll
    for (int w = 0; w < WARPS; ++w) {
        before += w < warp ? warps[w] : 0;
        total += warps[w];
    }
    if (warp == 0) {
        if (lane == 0 && tile > 0) {
            atomicExch(&published[tile], COUNT | total);
        }
        int prefix = look_back(tile);
        if (lane == 0) {
            atomicExch(&published[tile], PREFIX | (prefix + total));
            my_before = prefix;
        }
    }
    __syncthreads();
    before += my_before;
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        if (value[k] > 0.0f) {
            out[before + rank[k]] = value[k];
        }
    }
}

extern "C" void solve(const float* A, int N, float* out) {
    int tiles = (N + TILE - 1) / TILE;
    reset<<<(tiles + THREADS - 1) / THREADS, THREADS>>>(tiles);
    compact<<<tiles, THREADS>>>(A, N, out);
    cudaDeviceSynchronize();
}
