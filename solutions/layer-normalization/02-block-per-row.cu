// A block shares a row: its threads read neighbouring columns and add up in a shared-memory tree.
// Accesses are coalesced; the price is two trees of eight steps, each with a barrier, for every row.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__device__ float block_sum(float value, float* tree) {  // complete in every thread
    int tid = threadIdx.x;
    tree[tid] = value;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) {
            tree[tid] += tree[tid + s];
        }
        __syncthreads();
    }
    float sum = tree[0];
    __syncthreads();  // everyone has read it before the tree is used again
    return sum;
}

__global__ void normalize(const float* input, const float* weight, const float* bias, float* output, int C,
                          float eps) {
    __shared__ float tree[THREADS];
    const float* x = input + (size_t)blockIdx.x * C;
    float* y = output + (size_t)blockIdx.x * C;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < C; c += THREADS) {
        sum += x[c];
    }
    float mean = block_sum(sum, tree) / C;
    float squares = 0.0f;
    for (int c = threadIdx.x; c < C; c += THREADS) {
        squares += (x[c] - mean) * (x[c] - mean);
    }
    float scale = 1.0f / sqrtf(block_sum(squares, tree) / C + eps);
    for (int c = threadIdx.x; c < C; c += THREADS) {
        y[c] = (x[c] - mean) * scale * weight[c] + bias[c];
    }
}

extern "C" void solve(const float* input, const float* weight, const float* bias, float* output, int N, int C,
                      float eps) {
    normalize<<<N, THREADS>>>(input, weight, bias, output, C, eps);
    cudaDeviceSynchronize();
}
