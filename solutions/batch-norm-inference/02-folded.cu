// A block takes a plane, so its channel is known: scale and shift are computed once a thread, and an element
// costs a load, a fused multiply-add and a store.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void normalize(const float* input, const float* mean, const float* variance, const float* weight,
                          const float* bias, float* output, int C, int S, float eps) {
    int c = blockIdx.x % C;
    float scale = weight[c] / sqrtf(variance[c] + eps);
    float shift = bias[c] - mean[c] * scale;
    const float* x = input + (size_t)blockIdx.x * S;
    float* y = output + (size_t)blockIdx.x * S;
    for (int s = threadIdx.x; s < S; s += THREADS) {
        y[s] = x[s] * scale + shift;
    }
}

extern "C" void solve(const float* input, const float* mean, const float* variance, const float* weight,
                      const float* bias, float* output, int N, int C, int S, float eps) {
    normalize<<<N * C, THREADS>>>(input, mean, variance, weight, bias, output, C, S, eps);
    cudaDeviceSynchronize();
}
