// Uses float4 although a plane's length need not be a multiple of four. -> wrong_answer, hazard, runtime_error
#include <cuda_runtime.h>

__global__ void normalize(const float* input, const float* mean, const float* variance, const float* weight,
                          const float* bias, float* output, int count, int C, int S, float eps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        int c = i / (S / 4) % C;
        float4 v = reinterpret_cast<const float4*>(input)[i];
        float scale = weight[c] / sqrtf(variance[c] + eps), shift = bias[c] - mean[c] * scale;
        reinterpret_cast<float4*>(output)[i] =
            make_float4(v.x * scale + shift, v.y * scale + shift, v.z * scale + shift, v.w * scale + shift);
    }
}

extern "C" void solve(const float* input, const float* mean, const float* variance, const float* weight,
                      const float* bias, float* output, int N, int C, int S, float eps) {
    int count = N * C * (S / 4);
    normalize<<<(count + 255) / 256, 256>>>(input, mean, variance, weight, bias, output, count, C, S, eps);
    cudaDeviceSynchronize();
}
