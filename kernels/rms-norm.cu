#include <cuda_runtime.h>

__global__ void normalize(const float* x, const float* residual, const float* weight, float* out, int C,
                          float eps) {
    // This block's row is blockIdx.x: the mean square of x + residual, then its C results.
}

// x, residual and out (N x C) and weight (C) are device pointers.
extern "C" void solve(const float* x, const float* residual, const float* weight, float* out, int N, int C,
                      float eps) {
    normalize<<<N, 256>>>(x, residual, weight, out, C, eps);
    cudaDeviceSynchronize();
}
