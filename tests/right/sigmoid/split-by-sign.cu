// Never takes the exponential of a positive number: exp(x) / (1 + exp(x)) for negative x.
#include <cuda_runtime.h>

__global__ void sigmoid(const float* X, float* Y, int N) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
        float e = __expf(-fabsf(X[i]));
        Y[i] = (X[i] < 0 ? e : 1.0f) * __frcp_rn(1.0f + e);
    }
}

extern "C" void solve(const float* X, float* Y, int N) {
    sigmoid<<<40, 192>>>(X, Y, N);
    cudaDeviceSynchronize();
}
