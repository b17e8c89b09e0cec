// A block takes one query: all its scores go to shared memory, are turned into weights there, and then weigh the
// values. Every query reads all keys and all values, and a thread that walks along its own key reads uncoalesced.
#include <cuda_runtime.h>

constexpr int THREADS = 128;
constexpr int MAX_KEYS = 8192, MAX_D = 128;

template <typename Combine>
__device__ float over_block(float value, Combine combine) {  // complete in every thread
    __shared__ float tree[THREADS];
    int tid = threadIdx.x;
    __syncthreads();  // nobody reads the last result any more
    tree[tid] = value;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) {
            tree[tid] = combine(tree[tid], tree[tid + s]);
        }
        __syncthreads();
    }
    return tree[0];
}

__global__ void attend(const float* Q, const float* K, const float* V, float* output, int N, int d) {
    __shared__ float query[MAX_D];
    __shared__ float weights[MAX_KEYS];
    int tid = threadIdx.x;
    if (tid < d) {
        query[tid] = Q[(size_t)blockIdx.x * d + tid];
    }
    __syncthreads();

    float largest = -3.402823466e38f;
    for (int j = tid; j < N; j += THREADS) {
        float score = 0.0f;
        for (int c = 0; c < d; ++c) {
            score += query[c] * K[(size_t)j * d + c];
        }
        weights[j] = score / sqrtf(d);
        largest = fmaxf(largest, weights[j]);
    }
    largest = over_block(largest, [](float a, float b) { return fmaxf(a, b); });

    float sum = 0.0f;
    for (int j = tid; j < N; j += THREADS) {
        weights[j] = expf(weights[j] - largest);
        sum += weights[j];
    }
    sum = over_block(sum, [](float a, float b) { return a + b; });

    if (tid < d) {
        float weighed = 0.0f;
        for (int j = 0; j < N; ++j) {
            weighed += weights[j] * V[(size_t)j * d + tid];
        }
        output[(size_t)blockIdx.x * d + tid] = weighed / sum;
    }
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    attend<<<M, THREADS>>>(Q, K, V, output, N, d);
    cudaDeviceSynchronize();
}
