// One block per row: neighbouring threads read neighbouring columns, and a tree in shared memory adds up
// the threads' sums.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void sum_rows(const float* input, float* output, int cols) {
    __shared__ float sums[THREADS];
    const float* row = input + (size_t)blockIdx.x * cols;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += THREADS) {
        sum += row[c];
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) {
            sums[threadIdx.x] += sums[threadIdx.x + s];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        output[blockIdx.x] = sums[0];
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    sum_rows<<<rows, THREADS>>>(input, output, cols);
    cudaDeviceSynchronize();
}
