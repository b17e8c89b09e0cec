// First the largest value, then the lowest index that holds it: two plain reductions by atomics. Floats are
// compared as integers of the same order, because there is no atomicMax for floats.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__device__ unsigned largest;

__device__ unsigned ordered(float value) {  // keeps the order of floats; -0 becomes 0 first
    unsigned bits = __float_as_uint(value + 0.0f);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__global__ void reset(int* output, int N) {
    largest = 0;
    output[0] = N;
}

__global__ void find_value(const float* input, int N) {
    __shared__ unsigned best[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    best[threadIdx.x] = i < N ? ordered(input[i]) : 0;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) {
            best[threadIdx.x] = max(best[threadIdx.x], best[threadIdx.x + s]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        atomicMax(&largest, best[0]);
    }
}

__global__ void find_index(const float* input, int* output, int N) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N && ordered(input[i]) == largest) {
        atomicMin(output, i);
    }
}

extern "C" void solve(const float* input, int* output, int N) {
    int blocks = (N + THREADS - 1) / THREADS;
    reset<<<1, 1>>>(output, N);
    find_value<<<blocks, THREADS>>>(input, N);
    find_index<<<blocks, THREADS>>>(input, output, N);
    cudaDeviceSynchronize();
}
