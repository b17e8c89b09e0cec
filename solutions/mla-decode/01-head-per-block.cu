// A block takes one head of one sequence: all its scores go to shared memory, are turned into weights there, and then
// weigh the values. Every head reads the whole cache of its sequence, twice, once as keys and once as values.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;
constexpr int KEY = 576, VALUE = 512, THREADS = 256, WARPS = THREADS / 32;

__device__ float over_block(float value, bool largest) {  // complete in every thread
    __shared__ float warps[WARPS];
    for (int offset = 16; offset > 0; offset /= 2) {
        float other = __shfl_xor_sync(0xffffffffu, value, offset);
        value = largest ? fmaxf(value, other) : value + other;
    }
    __syncthreads();  // nobody reads the last result any more
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = value;
    }
    __syncthreads();
    value = warps[0];
    for (int w = 1; w < WARPS; ++w) {
        value = largest ? fmaxf(value, warps[w]) : value + warps[w];
    }
    return value;
}

__global__ void attend(const bf16* Q, const bf16* C, bf16* output, int H, int N, float scale) {
    __shared__ float query[KEY];
    extern __shared__ float weights[];
    int tid = threadIdx.x;
    size_t head = (size_t)blockIdx.y * H + blockIdx.x;
    const bf16* cache = C + (size_t)blockIdx.y * N * KEY;
    for (int c = tid; c < KEY; c += THREADS) {
        query[c] = __bfloat162float(Q[head * KEY + c]) * scale;
    }
    __syncthreads();

    float largest = -3.402823466e38f;
    for (int j = tid; j < N; j += THREADS) {
        float score = 0.0f;
        for (int c = 0; c < KEY; ++c) {
            score += query[c] * __bfloat162float(cache[(size_t)j * KEY + c]);
        }
        weights[j] = score;
        largest = fmaxf(largest, score);
    }
    largest = over_block(largest, true);

    float sum = 0.0f;
    for (int j = tid; j < N; j += THREADS) {
        weights[j] = expf(weights[j] - largest);
        sum += weights[j];
    }
    sum = over_block(sum, false);

    for (int c = tid; c < VALUE; c += THREADS) {
        float weighed = 0.0f;
        for (int j = 0; j < N; ++j) {
            weighed += weights[j] * __bfloat162float(cache[(size_t)j * KEY + c]);
        }
        output[head * VALUE + c] = __float2bfloat16(weighed / sum);
    }
}

extern "C" void solve(const bf16* Q, const bf16* C, bf16* output, int B, int H, int N, float scale) {
    int bytes = N * (int)sizeof(float);  // of weights
    cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    attend<<<dim3(H, B), THREADS, bytes>>>(Q, C, output, H, N, scale);
    cudaDeviceSynchronize();
}
