// Flags never reach memory. Tiles count their survivors, one block scans the counts, and a second pass over
// the input writes: within a warp an element's place is the number of set bits before it in a ballot.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int STEPS = 16;  // elements per thread
constexpr int TILE = THREADS * STEPS;
constexpr unsigned ALL = 0xffffffffu;

__global__ void count(const float* A, int* counts, int N) {
    int sum = 0;
    for (int s = 0; s < STEPS; ++s) {
        int i = blockIdx.x * TILE + s * THREADS + threadIdx.x;
        sum += __syncthreads_count(i < N && A[i] > 0.0f);
    }
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = sum;
    }
}

__global__ void scan(int* counts, int tiles) {  // one block: exclusive prefix sums, 1024 at a time
    __shared__ int sums[1024];
    int t = threadIdx.x, before = 0;
    for (int first = 0; first < tiles; first += 1024) {
        int value = first + t < tiles ? counts[first + t] : 0;
        sums[t] = value;
        __syncthreads();
        for (int d = 1; d < 1024; d *= 2) {
            int left = t >= d ? sums[t - d] : 0;
            __syncthreads();
            sums[t] += left;
            __syncthreads();
        }
        if (first + t < tiles) {
            counts[first + t] = before + sums[t] - value;
        }
        before += sums[1023];
        __syncthreads();
    }
}

__global__ void write(const float* A, const int* places, float* out, int N) {
    __shared__ int warps[THREADS / 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int place = places[blockIdx.x];
    for (int s = 0; s < STEPS; ++s) {
        int i = blockIdx.x * TILE + s * THREADS + threadIdx.x;
        float value = i < N ? A[i] : 0.0f;
        unsigned kept = __ballot_sync(ALL, value > 0.0f);
        if (lane == 0) {
            warps[warp] = __popc(kept);
        }
        __syncthreads();
        int before = 0, total = 0;
        for (int w = 0; w < THREADS / 32; ++w) {
            before += w < warp ? warps[w] : 0;
            total += warps[w];
        }
        if (value > 0.0f) {
            out[place + before + __popc(kept & ((1u << lane) - 1))] = value;
        }
        place += total;
        __syncthreads();
    }
}

extern "C" void solve(const float* A, int N, float* out) {
    int tiles = (N + TILE - 1) / TILE;
    int* counts;
    cudaMalloc(&counts, tiles * sizeof(int));
    count<<<tiles, THREADS>>>(A, counts, N);
    scan<<<1, 1024>>>(counts, tiles);
    write<<<tiles, THREADS>>>(A, counts, out, N);
    cudaFree(counts);
    cudaDeviceSynchronize();
}
