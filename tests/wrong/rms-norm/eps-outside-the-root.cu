// Adds eps to the root. -> wrong_answer
#include <cuda_runtime.h>

__device__ float block_sum(float v) {
    __shared__ float part[128];
    int t = threadIdx.x;
    part[t] = v;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) part[t] = part[t] + part[t + s];
        __syncthreads();
    }
    return part[0];
}

__global__ void normalize(const float* x, const float* residual, const float* weight, float* out, int C,
                          float eps) {
    size_t row = (size_t)blockIdx.x * C;
    float squares = 0.0f;
    for (int c = threadIdx.x; c < C; c += 128) {
        float h = x[row + c] + residual[row + c];
        squares += h * h;
    }
    float r = 1.0f / (sqrtf(block_sum(squares) / C) + eps);
    for (int c = threadIdx.x; c < C; c += 128) out[row + c] = (x[row + c] + residual[row + c]) * r * weight[c];
}

extern "C" void solve(const float* x, const float* residual, const float* weight, float* out, int N, int C,
                      float eps) {
    normalize<<<N, 128>>>(x, residual, weight, out, C, eps);
    cudaDeviceSynchronize();
}
