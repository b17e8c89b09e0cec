// Tiles of 4096 elements read as float4, eight per thread in flight. Survivors first gather in shared memory and
// leave from there in order, so that all lanes write, next to each other.
#include <cuda_runtime.h>

constexpr int THREADS = 128;
constexpr int WARPS = THREADS / 32;
constexpr int QUADS = 8;  // float4 per thread; a warp's are 1024 neighbouring elements
constexpr int TILE = THREADS * QUADS * 4;
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

__device__ float4 load4(const float* A, int i, int N) {  // zeros, which nobody keeps, past the end
    if (i + 3 < N) {
        return __ldcs(reinterpret_cast<const float4*>(A + i));
    }
    return make_float4(i < N ? A[i] : 0, i + 1 < N ? A[i + 1] : 0, i + 2 < N ? A[i + 2] : 0, 0);
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
    __shared__ float staged[TILE];
    __shared__ int my_tile, my_before;
    __shared__ int warps[WARPS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        my_tile = atomicAdd(&next_tile, 1u);
    }
    __syncthreads();
    int tile = my_tile;
    int first = tile * TILE + warp * 128 * QUADS + 4 * lane;
    float4 v[QUADS];
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
        v[q] = load4(A, first + 128 * q, N);
    }
    unsigned below = (1u << lane) - 1;
    int rank[QUADS], count = 0;  // of the first component; the others follow
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
        unsigned x = __ballot_sync(ALL, v[q].x > 0), y = __ballot_sync(ALL, v[q].y > 0);
        unsigned z = __ballot_sync(ALL, v[q].z > 0), w = __ballot_sync(ALL, v[q].w > 0);
        rank[q] = count + __popc(x & below) + __popc(y & below) + __popc(z & below) + __popc(w & below);
        count += __popc(x) + __popc(y) + __popc(z) + __popc(w);
    }
    if (lane == 0) {
        warps[warp] = count;
    }
    __syncthreads();
    int before = warp_sum(lane < warp ? warps[lane % WARPS] : 0);
    int total = warp_sum(lane < WARPS ? warps[lane % WARPS] : 0);
    if (threadIdx.x == 0 && tile > 0) {
        atomicExch(&published[tile], COUNT | total);
    }
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
        int place = before + rank[q];
        if (v[q].x > 0) staged[place++] = v[q].x;
        if (v[q].y > 0) staged[place++] = v[q].y;
        if (v[q].z > 0) staged[place++] = v[q].z;
        if (v[q].w > 0) staged[place++] = v[q].w;
    }
    if (warp == 0) {
        int prefix = look_back(tile);
        if (lane == 0) {
            atomicExch(&published[tile], PREFIX | (prefix + total));
            my_before = prefix;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < total; i += THREADS) {
        __stcs(out + my_before + i, staged[i]);
    }
}

extern "C" void solve(const float* A, int N, float* out) {
    int tiles = (N + TILE - 1) / TILE;
    reset<<<(tiles + THREADS - 1) / THREADS, THREADS>>>(tiles);
    compact<<<tiles, THREADS>>>(A, N, out);
    cudaDeviceSynchronize();
}
