// b times a times a reciprocal, exponents by powers of two, a template on the block size.
#include <cuda_runtime.h>

template <int Threads>
__global__ void swiglu(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n) {
    int i = blockIdx.x * Threads + threadIdx.x;
    if (i >= n) return;
    float gate = __fdividef(1.0f, 1.0f + exp2f(-1.44269504f * a[i]));
    out[i] = b[i] * (a[i] * gate);
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N >> 1;
    swiglu<96><<<(half + 95) / 96, 96>>>(input, input + half, output, half);
    cudaDeviceSynchronize();
}
