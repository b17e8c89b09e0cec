// One thread per element: neighbours read neighbours. Each reads its partner as well, so every number of Q
// is loaded by two threads; the second time it comes from L1 or L2.
#include <cuda_runtime.h>

__global__ void rotate(const float* Q, const float* cos, const float* sin, float* output, size_t count, int D) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        int d = (unsigned)(i % D);
        float partner = d < D / 2 ? -Q[i + D / 2] : Q[i - D / 2];
        output[i] = Q[i] * cos[i] + partner * sin[i];
    }
}

extern "C" void solve(const float* Q, const float* cos, const float* sin, float* output, int M, int D) {
    size_t count = (size_t)M * D;
    int threads = 256;
    rotate<<<(unsigned)((count + threads - 1) / threads), threads>>>(Q, cos, sin, output, count, D);
    cudaDeviceSynchronize();
}
