// A block takes one query: all its scores go to shared memory, are turned into weights there, and then weigh the
// values. The G queries of a group each read the keys and values that they share, a thread along its own key.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;
constexpr int D = 128, THREADS = 128, WARPS = THREADS / 32;

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

__global__ void attend(const bf16* Q, const bf16* K, const bf16* V, bf16* output, int G, int N) {
    __shared__ float query[D];
    extern __shared__ float weights[];
    int tid = threadIdx.x;
    size_t head = (size_t)blockIdx.y * N * D, row = ((size_t)blockIdx.y * G + blockIdx.x) * D;
    query[tid] = __bfloat162float(Q[row + tid]) * 0.08838834764f;  // 1 / sqrt(128)
    __syncthreads();

    float largest = -3.402823466e38f;
    for (int j = tid; j < N; j += THREADS) {
        const bf16* key = K + head + (size_t)j * D;
        float score = 0.0f;
        for (int c = 0; c < D; ++c) {
            score += query[c] * __bfloat162float(key[c]);
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

    float weighed = 0.0f;
    for (int j = 0; j < N; ++j) {
        weighed += weights[j] * __bfloat162float(V[head + (size_t)j * D + tid]);
    }
    output[row + tid] = __float2bfloat16(weighed / sum);
}

extern "C" void solve(const bf16* Q, const bf16* K, const bf16* V, bf16* output, int B, int H, int G, int N) {
    int bytes = N * (int)sizeof(float);  // of weights
    cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    attend<<<dim3(G, B * H), THREADS, bytes>>>(Q, K, V, output, G, N);
    cudaDeviceSynchronize();
}
