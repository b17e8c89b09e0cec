// Four independent 128-bit loads per thread are in flight before the first addition waits for one.
// Block sums go to scratch memory, and whichever block finishes last adds them in their order: still one
// launch, and the same bits every time, which atomics on the sum cannot promise.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int UNROLL = 4;
constexpr int MAX_BLOCKS = 132 * 8;  // eight blocks of 256 threads fill each of an H200's multiprocessors

__device__ float block_sums[MAX_BLOCKS];
__device__ unsigned finished;  // blocks that have stored their sum; the last one sets it back to zero

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    return value;  // complete in lane 0
}

__device__ float block_sum(float value) {
    __shared__ float warp_sums[THREADS / 32];
    int tid = threadIdx.x;
    value = warp_sum(value);
    __syncthreads();  // nobody still reads the sums of an earlier call
    if (tid % 32 == 0) {
        warp_sums[tid / 32] = value;
    }
    __syncthreads();
    return tid < 32 ? warp_sum(tid < THREADS / 32 ? warp_sums[tid] : 0.0f) : 0.0f;  // complete in thread 0
}

__device__ float quad_sum(float4 v) {
    return (v.x + v.y) + (v.z + v.w);
}

__device__ float thread_sum(const float* input, int N) {
    const float4* input4 = reinterpret_cast<const float4*>(input);
    int i = blockIdx.x * THREADS + threadIdx.x;
    int stride = gridDim.x * THREADS;
    int quads = N / 4;
    int q = i;
    float sum = 0.0f;
    for (; q + (UNROLL - 1) * stride < quads; q += UNROLL * stride) {
        float4 v[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; ++k) {
            v[k] = __ldcs(input4 + q + k * stride);
        }
#pragma unroll
        for (int k = 0; k < UNROLL; ++k) {
            sum += quad_sum(v[k]);
        }
    }
    for (; q < quads; q += stride) {
        sum += quad_sum(input4[q]);
    }
    if (i < N % 4) {  // the one to three elements left over
        sum += input[quads * 4 + i];
    }
    return sum;
}

__global__ void add_up(const float* __restrict__ input, float* output, int N) {
    __shared__ bool last;
    float sum = block_sum(thread_sum(input, N));
    if (threadIdx.x == 0) {
        block_sums[blockIdx.x] = sum;
        __threadfence();  // the sum is visible to all before the count says so
        last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) {
        return;
    }
    __threadfence();
    sum = 0.0f;
    for (int b = threadIdx.x; b < gridDim.x; b += THREADS) {
        sum += __ldcg(&block_sums[b]);  // from L2, where the other multiprocessors' stores arrive
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        *output = sum;
        finished = 0;
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int blocks = (N / 4 + THREADS) / THREADS;
    if (blocks > MAX_BLOCKS) {
        blocks = MAX_BLOCKS;
    }
    add_up<<<blocks, THREADS>>>(input, output, N);
    cudaDeviceSynchronize();
}
