// Launched by configuration. -> accepted
#include <cuda_runtime.h>
#include <cstdint>
#include <cstddef>
__global__ void k(const float* in, float* out, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) out[i] = fmaxf(in[i], 0.f);
}
extern "C" void solve(const float* input, float* output, int N) {
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3((N + 255) / 256);
    c.blockDim = dim3(256);
    cudaLaunchKernelEx(&c, k, input, output, (long)N);
}
