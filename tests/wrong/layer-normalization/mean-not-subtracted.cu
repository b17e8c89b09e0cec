// Scales but does not centre. -> wrong_answer
#include <cuda_runtime.h>

__device__ float block_sum(float v) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = v;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) part[t] = part[t] + part[t + s];
        __syncthreads();
    }
    v = part[0];
    __syncthreads();
    return v;
}

__global__ void normalize(const float* input, const float* weight, const float* bias, float* output,
                          int C, float eps) {
    const float* x = input + blockIdx.x * C;
    float* y = output + blockIdx.x * C;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < C; c += 256) sum += x[c];
    float mean = block_sum(sum) / C;
    float squares = 0.0f;
    for (int c = threadIdx.x; c < C; c += 256) squares += (x[c] - mean) * (x[c] - mean);
    float variance = block_sum(squares) / (C);
    float r = rsqrtf(variance + eps);
    for (int c = threadIdx.x; c < C; c += 256) y[c] = x[c] * r * weight[c] + bias[c];
}

extern "C" void solve(const float* input, const float* weight, const float* bias, float* output, int N,
                      int C, float eps) {
    normalize<<<N, 256>>>(input, weight, bias, output, C, eps);
    cudaDeviceSynchronize();
}
