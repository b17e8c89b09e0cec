// Takes the image for the channel. -> wrong_answer, hazard, runtime_error
#include <cuda_runtime.h>

__global__ void normalize(const float* input, const float* mean, const float* variance, const float* weight,
                          const float* bias, float* output, int count, int C, int S, float eps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        int c = i / (S * C);
        output[i] = (input[i] - mean[c]) / sqrtf(variance[c] + eps) * weight[c] + bias[c];
    }
}

extern "C" void solve(const float* input, const float* mean, const float* variance, const float* weight,
                      const float* bias, float* output, int N, int C, int S, float eps) {
    int count = N * C * S;
    normalize<<<(count + 255) / 256, 256>>>(input, mean, variance, weight, bias, output, count, C, S, eps);
    cudaDeviceSynchronize();
}
