// Counters are copied per lane, not per warp: with 32 copies side by side lane k always works in bank k,
// so no two lanes of a warp ever meet, whatever the values are. A thread adds up runs of equal values
// before it touches a counter, and two 128-bit loads are in flight at a time.
#include <cuda_runtime.h>

constexpr int THREADS = 512;
constexpr int MAX_BLOCKS = 132 * 4;
constexpr int COUNTERS = 8192;  // 32 KiB: 32 copies of up to 256 bins, 8 copies of up to 1024

struct Run {
    int value, length;
};

// `copies` is a power of two; the copies of a bin lie side by side.
__device__ void add(int* counters, int copies, Run run) {
    atomicAdd(&counters[run.value * copies + threadIdx.x % copies], run.length);
}

__device__ Run extend(int* counters, int copies, Run run, int value) {
    if (value == run.value) {
        return {value, run.length + 1};
    }
    add(counters, copies, run);
    return {value, 1};
}

__device__ Run extend4(int* counters, int copies, Run run, int4 v) {
    run = extend(counters, copies, run, v.x);
    run = extend(counters, copies, run, v.y);
    run = extend(counters, copies, run, v.z);
    return extend(counters, copies, run, v.w);
}

__global__ void count(const int* __restrict__ input, int* histogram, int N, int num_bins, int copies) {
    __shared__ int counters[COUNTERS];
    for (int k = threadIdx.x; k < num_bins * copies; k += THREADS) {
        counters[k] = 0;
    }
    __syncthreads();

    const int4* input4 = reinterpret_cast<const int4*>(input);
    int i = blockIdx.x * THREADS + threadIdx.x;
    int stride = gridDim.x * THREADS;
    int quads = N / 4;
    int q = i;
    Run run = {0, 0};
    for (; q + stride < quads; q += 2 * stride) {
        int4 v0 = __ldcs(input4 + q), v1 = __ldcs(input4 + q + stride);
        run = extend4(counters, copies, run, v0);
        run = extend4(counters, copies, run, v1);
    }
    if (q < quads) {
        run = extend4(counters, copies, run, input4[q]);
    }
    if (i < N % 4) {  // the one to three elements left over
        run = extend(counters, copies, run, input[quads * 4 + i]);
    }
    add(counters, copies, run);
    __syncthreads();

    for (int b = threadIdx.x; b < num_bins; b += THREADS) {
        int sum = 0;
        for (int k = 0; k < copies; ++k) {
            sum += counters[b * copies + (k + b) % copies];  // rotated: neighbours start in different banks
        }
        if (sum > 0) {
            atomicAdd(&histogram[b], sum);
        }
    }
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    int copies = 32;
    while (num_bins * copies > COUNTERS) {
        copies /= 2;
    }
    int blocks = (N / 4 + THREADS) / THREADS;
    if (blocks > MAX_BLOCKS) {
        blocks = MAX_BLOCKS;
    }
    count<<<blocks, THREADS>>>(input, histogram, N, num_bins, copies);
    cudaDeviceSynchronize();
}
