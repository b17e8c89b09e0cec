// A block shares a row: loads are coalesced, and a tree in shared memory finds the maximum, then the sum.
// The row is read three times. Eighteen barriers a row.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr float LOWEST = -3.402823466e38f;  // finite: -infinity minus -infinity is not a number

template <typename Combine>
__device__ float over_block(float value, float* tree, Combine combine) {  // complete in every thread
    int tid = threadIdx.x;
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

__global__ void softmax(const float* input, float* output, int cols) {
    __shared__ float maxima[THREADS], sums[THREADS];
    const float* x = input + (size_t)blockIdx.x * cols;
    float* y = output + (size_t)blockIdx.x * cols;

    float largest = LOWEST;
    for (int c = threadIdx.x; c < cols; c += THREADS) {
        largest = fmaxf(largest, x[c]);
    }
    largest = over_block(largest, maxima, [](float a, float b) { return fmaxf(a, b); });

    float sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += THREADS) {
        sum += expf(x[c] - largest);
    }
    sum = over_block(sum, sums, [](float a, float b) { return a + b; });

    for (int c = threadIdx.x; c < cols; c += THREADS) {
        y[c] = expf(x[c] - largest) / sum;
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    softmax<<<rows, THREADS>>>(input, output, cols);
    cudaDeviceSynchronize();
}
