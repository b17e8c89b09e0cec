#include <cuda_runtime.h>

__global__ void select(const float* input, float* output, int N, int k) {
    // Write the k largest elements of input to output, largest first.
}

// input and output are device pointers.
extern "C" void solve(const float* input, float* output, int N, int k) {
    select<<<1, 256>>>(input, output, N, k);
    cudaDeviceSynchronize();
}
