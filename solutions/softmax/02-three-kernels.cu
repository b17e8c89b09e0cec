// One kernel per pass lets all multiprocessors work: the end of a kernel is the barrier across blocks.
// Partial results go through a small array that every block of the next kernel combines for itself.
// The vector is still read three times and written once: 16 bytes per element.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int MAX_BLOCKS = THREADS;  // so that a block reads all partial results with one load per thread
constexpr float LOWEST = -3.402823466e38f;

__device__ float part_max[MAX_BLOCKS];
__device__ float part_sum[MAX_BLOCKS];

__device__ float block_max(float value) {  // complete in every thread
    __shared__ float tree[THREADS];
    int tid = threadIdx.x;
    tree[tid] = value;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) {
            tree[tid] = fmaxf(tree[tid], tree[tid + s]);
        }
        __syncthreads();
    }
    return tree[0];
}

__device__ float block_sum(float value) {  // complete in every thread
    __shared__ float tree[THREADS];
    int tid = threadIdx.x;
    tree[tid] = value;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) {
            tree[tid] += tree[tid + s];
        }
        __syncthreads();
    }
    return tree[0];
}

__global__ void find_max(const float* input, int N) {
    float largest = LOWEST;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        largest = fmaxf(largest, input[i]);
    }
    largest = block_max(largest);
    if (threadIdx.x == 0) {
        part_max[blockIdx.x] = largest;
    }
}

__global__ void add_exponentials(const float* input, int N) {
    float largest = block_max(threadIdx.x < gridDim.x ? part_max[threadIdx.x] : LOWEST);
    float sum = 0.0f;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        sum += expf(input[i] - largest);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        part_sum[blockIdx.x] = sum;
    }
}

__global__ void divide(const float* input, float* output, int N) {
    float largest = block_max(threadIdx.x < gridDim.x ? part_max[threadIdx.x] : LOWEST);
    float sum = block_sum(threadIdx.x < gridDim.x ? part_sum[threadIdx.x] : 0.0f);
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        output[i] = expf(input[i] - largest) / sum;
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int blocks = (N + THREADS - 1) / THREADS;
    if (blocks > MAX_BLOCKS) {
        blocks = MAX_BLOCKS;
    }
    find_max<<<blocks, THREADS>>>(input, N);
    add_exponentials<<<blocks, THREADS>>>(input, N);
    divide<<<blocks, THREADS>>>(input, output, N);
    cudaDeviceSynchronize();
}
