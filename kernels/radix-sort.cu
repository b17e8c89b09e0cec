#include <cuda_runtime.h>

__global__ void sort(const unsigned int* input, unsigned int* output, int N) {
    // Leave all numbers of input in output, in ascending order.
}

// input and output are device pointers.
extern "C" void solve(const unsigned int* input, unsigned int* output, int N) {
    sort<<<1, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
