// Keeps the last of equal values. -> wrong_answer
#include <cuda_runtime.h>

__global__ void find_largest(const float* input, int* output, int N) {
    __shared__ float value[256];
    __shared__ int index[256];
    int t = threadIdx.x;
    value[t] = -INFINITY;
    index[t] = -1;
    for (int i = t; i < N; i += 256) {
        if (input[i] >= value[t]) {
            value[t] = input[i];
            index[t] = i;
        }
    }
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s && (value[t + s] > value[t] || (value[t + s] == value[t] && index[t + s] > index[t]))) {
            value[t] = value[t + s];
            index[t] = index[t + s];
        }
        __syncthreads();
    }
    if (t == 0) output[0] = index[0];
}

extern "C" void solve(const float* input, int* output, int N) {
    find_largest<<<1, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
