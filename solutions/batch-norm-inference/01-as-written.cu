// A thread per element evaluates the formula as it stands: two integer divisions to find the channel, then a
// root and a division of floats, for one multiplication and one addition that would do.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void normalize(const float* input, const float* mean, const float* variance, const float* weight,
                          const float* bias, float* output, int count, int C, int S, float eps) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < count) {
        int c = i / S % C;
        output[i] = (input[i] - mean[c]) / sqrtf(variance[c] + eps) * weight[c] + bias[c];
    }
}

extern "C" void solve(const float* input, const float* mean, const float* variance, const float* weight,
                      const float* bias, float* output, int N, int C, int S, float eps) {
    int count = N * C * S;
    normalize<<<(count + THREADS - 1) / THREADS, THREADS>>>(input, mean, variance, weight, bias, output, count, C, S,
                                                            eps);
    cudaDeviceSynchronize();
}
