// Value and index travel together: blocks reduce pairs in shared memory and leave one pair each, which the
// next launch reduces further. Every element is read once.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

// Reduces N pairs to one per block. The first launch has no `indices`: element i has index i.
__global__ void reduce(const float* values, const int* indices, float* out_values, int* out_indices, int N) {
    __shared__ float value[THREADS];
    __shared__ int index[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    value[t] = i < N ? values[i] : 0.0f;
    index[t] = i < N ? (indices ? indices[i] : i) : -1;  // -1: no pair
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (t < s && index[t + s] >= 0) {  // pairs without a partner lie behind all others
            float a = value[t], b = value[t + s];
            if (b > a || (b == a && index[t + s] < index[t])) {
                value[t] = b;
                index[t] = index[t + s];
            }
        }
        __syncthreads();
    }
    if (t == 0) {
        out_values[blockIdx.x] = value[0];
        out_indices[blockIdx.x] = index[0];
    }
}

extern "C" void solve(const float* input, int* output, int N) {
    int blocks = (N + THREADS - 1) / THREADS;
    float* values[2];
    int* indices[2];
    for (int k = 0; k < 2; ++k) {
        cudaMalloc(&values[k], blocks * sizeof(float));
        cudaMalloc(&indices[k], blocks * sizeof(int));
    }
    reduce<<<blocks, THREADS>>>(input, nullptr, values[0], blocks == 1 ? output : indices[0], N);
    int from = 0;
    while (blocks > 1) {
        int left = blocks;
        blocks = (left + THREADS - 1) / THREADS;
        int* to = blocks == 1 ? output : indices[1 - from];
        reduce<<<blocks, THREADS>>>(values[from], indices[from], values[1 - from], to, left);
        from = 1 - from;
    }
    for (int k = 0; k < 2; ++k) {
        cudaFree(values[k]);
        cudaFree(indices[k]);
    }
    cudaDeviceSynchronize();
}
