// One block of 1024 threads makes three passes: largest score, sum of exponentials, division.
// Barriers work inside a block only, which is why a single block is the easy way; it uses one multiprocessor.
#include <cuda_runtime.h>

constexpr int THREADS = 1024;
constexpr float LOWEST = -3.402823466e38f;

__global__ void softmax(const float* input, float* output, int N) {
    __shared__ float tree[THREADS];
    int tid = threadIdx.x;

    float largest = LOWEST;
    for (int i = tid; i < N; i += THREADS) {
        largest = fmaxf(largest, input[i]);
    }
    tree[tid] = largest;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) {
            tree[tid] = fmaxf(tree[tid], tree[tid + s]);
        }
        __syncthreads();
    }
    largest = tree[0];
    __syncthreads();  // everyone has read it before the tree is used again

    float sum = 0.0f;
    for (int i = tid; i < N; i += THREADS) {
        sum += expf(input[i] - largest);
    }
    tree[tid] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) {
            tree[tid] += tree[tid + s];
        }
        __syncthreads();
    }
    sum = tree[0];

    for (int i = tid; i < N; i += THREADS) {
        output[i] = expf(input[i] - largest) / sum;
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    softmax<<<1, THREADS>>>(input, output, N);
    cudaDeviceSynchronize();
}
