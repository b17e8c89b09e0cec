// exp overflows for large scores. -> wrong_answer
#include <cuda_runtime.h>

__device__ float block_reduce(float v, bool largest) {
    __shared__ float part[128];
    int t = threadIdx.x;
    __syncthreads();
    part[t] = v;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) part[t] = largest ? fmaxf(part[t], part[t + s]) : part[t] + part[t + s];
        __syncthreads();
    }
    return part[0];
}

__global__ void attend(const float* Q, const float* K, const float* V, float* output, int N, int d) {
    __shared__ float weights[8192];
    const float* q = Q + (size_t)blockIdx.x * d;
    int t = threadIdx.x;
    float m = -INFINITY, sum = 0.0f;
    for (int j = t; j < N; j += 128) {
        float score = 0.0f;
        for (int c = 0; c < d; ++c) score += q[c] * K[(size_t)j * d + c];
        weights[j] = score / sqrtf((float)d);
        m = fmaxf(m, weights[j]);
    }
    m = block_reduce(m, true);
    for (int j = t; j < N; j += 128) sum += weights[j] = expf(weights[j]);
    sum = block_reduce(sum, false);
    if (t < d) {
        float out = 0.0f;
        for (int j = 0; j < N; ++j) out += weights[j] * V[(size_t)j * d + t];
        output[(size_t)blockIdx.x * d + t] = out / sum;
    }
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    attend<<<M, 128>>>(Q, K, V, output, N, d);
    cudaDeviceSynchronize();
}
