// Tiles of 16384 elements, 128 bytes per thread in flight, and a whole block looks back at 512 predecessors at once:
// that covers every tile in flight, so nobody has to look twice. A warp owns 1024 neighbouring elements and
// scans them in eight sweeps of float4.
#include <cuda_runtime.h>

constexpr int THREADS = 512;
constexpr int WARPS = THREADS / 32;
constexpr int QUADS = 8;  // float4 per thread
constexpr int TILE = THREADS * QUADS * 4;
constexpr int MAX_TILES = (1 << 27) / TILE;
constexpr unsigned ALL = 0xffffffffu;

enum State : unsigned { EMPTY = 0, TOTAL = 1, PREFIX = 2 };  // what the upper half of a word says

__device__ unsigned long long published[MAX_TILES];
__device__ unsigned next_tile;

__device__ void publish(int tile, State state, float value) {
    atomicExch(&published[tile], (unsigned long long)state << 32 | __float_as_uint(value));
}

__device__ float warp_scan(float value) {  // inclusive
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        float left = __shfl_up_sync(ALL, value, d);
        value += lane >= d ? left : 0.0f;
    }
    return value;
}

__device__ float warp_sum(float value) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
        value += __shfl_xor_sync(ALL, value, d);
    }
    return value;
}

// Called by a whole block: the sum of everything before `tile`. Thread k looks k + 1 tiles back.
__device__ float look_back(int tile) {
    __shared__ int nearest;
    __shared__ float sums[WARPS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float before = 0.0f;
    for (int first = tile - 1;; first -= THREADS) {
        int back = first - (int)threadIdx.x;
        unsigned long long word = (unsigned long long)PREFIX << 32;  // before the first tile lies nothing
        do {
            if (back >= 0) {
                word = *(volatile unsigned long long*)&published[back];
            }
        } while (word >> 32 == EMPTY);
        if (threadIdx.x == 0) nearest = THREADS;
        __syncthreads();
        unsigned finished = __ballot_sync(ALL, word >> 32 == PREFIX);
        if (lane == 0 && finished != 0) {
            atomicMin(&nearest, warp * 32 + __ffs(finished) - 1);
        }
        __syncthreads();
        int end = nearest;
        float sum = warp_sum((int)threadIdx.x <= end ? __uint_as_float((unsigned)word) : 0.0f);
        if (lane == 0) {
            sums[warp] = sum;
        }
        __syncthreads();
        before += warp_sum(lane < WARPS ? sums[lane % WARPS] : 0.0f);
        if (end < THREADS) {
            return before;
        }
    }
}

__device__ float4 load4(const float* input, int i, int N) {  // zeros past the end
    if (i + 3 < N) {
        return __ldcs(reinterpret_cast<const float4*>(input + i));
    }
    return make_float4(i < N ? input[i] : 0, i + 1 < N ? input[i + 1] : 0, i + 2 < N ? input[i + 2] : 0, 0);
}

__device__ void store4(float* output, int i, int N, float4 v) {
    if (i + 3 < N) {
        __stcs(reinterpret_cast<float4*>(output + i), v);
        return;
    }
    if (i < N) output[i] = v.x;
    if (i + 1 < N) output[i + 1] = v.y;
    if (i + 2 < N) output[i + 2] = v.z;
}

__global__ void reset(int tiles) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < tiles) published[i] = 0;
    if (i == 0) next_tile = 0;
}

__global__ void __launch_bounds__(THREADS) scan(const float* __restrict__ input, float* __restrict__ output, int N) {
    __shared__ int my_tile;
    __shared__ float warp_sums[WARPS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        my_tile = atomicAdd(&next_tile, 1u);  // in order of starting: predecessors are running or done
    }
    __syncthreads();
    int tile = my_tile, first = tile * TILE + warp * 128 * QUADS + 4 * lane;
    float4 v[QUADS];
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
        v[q] = load4(input, first + 128 * q, N);
    }
    float sum = 0.0f;  // of the warp's sweeps so far
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
        v[q].y += v[q].x;
        v[q].z += v[q].y;
        v[q].w += v[q].z;
        float inclusive = warp_scan(v[q].w);
        float before = __shfl_up_sync(ALL, inclusive, 1);
        before = sum + (lane > 0 ? before : 0.0f);
        v[q] = make_float4(v[q].x + before, v[q].y + before, v[q].z + before, v[q].w + before);
        sum += __shfl_sync(ALL, inclusive, 31);
    }
    if (lane == 0) {
        warp_sums[warp] = sum;
    }
    __syncthreads();
    float before = warp_sum(lane < warp ? warp_sums[lane % WARPS] : 0.0f);
    float total = warp_sum(lane < WARPS ? warp_sums[lane % WARPS] : 0.0f);
    if (threadIdx.x == 0) {
        publish(tile, tile == 0 ? PREFIX : TOTAL, total);
    }
    float before_tile = look_back(tile);
    if (threadIdx.x == 0 && tile > 0) {
        publish(tile, PREFIX, before_tile + total);
    }
    before += before_tile;
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
        float4 result = make_float4(v[q].x + before, v[q].y + before, v[q].z + before, v[q].w + before);
        store4(output, first + 128 * q, N, result);
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int tiles = (N + TILE - 1) / TILE;
    reset<<<(tiles + THREADS - 1) / THREADS, THREADS>>>(tiles);
    scan<<<tiles, THREADS>>>(input, output, N);
    cudaDeviceSynchronize();
}
