#include <cuda_runtime.h>

__global__ void softmax(const float* input, float* output, int N) {
    // The largest score, the sum of exp(score - largest), then the division.
}

// input and output are device pointers.
extern "C" void solve(const float* input, float* output, int N) {
    // One block is the simplest start: its threads can wait for each other.
    softmax<<<1, 1024>>>(input, output, N);
    cudaDeviceSynchronize();
}
