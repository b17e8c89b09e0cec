// Every thread multiplies and adds a contiguous share of both vectors, as a CPU core would, and the block
// adds its sums in a shared-memory tree. Lanes are a share apart, so each load touches a sector per lane.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int SHARE = 32;
constexpr int MAX_BLOCKS = 1024;

__device__ float block_sums[MAX_BLOCKS];

__device__ float block_sum(float value) {  // complete in thread 0
    __shared__ float sums[THREADS];
    int tid = threadIdx.x;
    sums[tid] = value;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) {
            sums[tid] += sums[tid + s];
        }
        __syncthreads();
    }
    return sums[0];
}

__global__ void multiply(const float* A, const float* B, int N) {
    float sum = 0.0f;
    int stride = gridDim.x * THREADS * SHARE;
    for (int first = (blockIdx.x * THREADS + threadIdx.x) * SHARE; first < N; first += stride) {
        for (int k = 0; k < SHARE && first + k < N; ++k) {
            sum += A[first + k] * B[first + k];
        }
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        block_sums[blockIdx.x] = sum;
    }
}

__global__ void finish(float* result, int blocks) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < blocks; i += THREADS) {
        sum += block_sums[i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        *result = sum;
    }
}

extern "C" void solve(const float* A, const float* B, float* result, int N) {
    int blocks = (N + THREADS * SHARE - 1) / (THREADS * SHARE);
    if (blocks > MAX_BLOCKS) {
        blocks = MAX_BLOCKS;
    }
    multiply<<<blocks, THREADS>>>(A, B, N);
    finish<<<1, THREADS>>>(result, blocks);
    cudaDeviceSynchronize();
}
