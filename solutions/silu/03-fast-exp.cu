// The same with __expf and __fdividef: two special-function instructions instead of two short programs.
// Still four bytes per access.
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float x = input[i];
        output[i] = __fdividef(x, 1.0f + __expf(-x));
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int threads = 256;
    silu<<<(N + threads - 1) / threads, threads>>>(input, output, N);
    cudaDeviceSynchronize();
}
