// Uses 2^x in the place of e^x. -> wrong_answer
#include <cuda_runtime.h>

__device__ float block_reduce(float v, bool largest) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = v;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) part[t] = largest ? fmaxf(part[t], part[t + s]) : part[t] + part[t + s];
        __syncthreads();
    }
    v = part[0];
    __syncthreads();
    return v;
}

__global__ void softmax(const float* input, float* output, int N) {
    float m = -INFINITY, s = 0.0f;
    for (int i = threadIdx.x; i < N; i += 256) m = fmaxf(m, input[i]);
    m = block_reduce(m, true);
    for (int i = threadIdx.x; i < N; i += 256) s += exp2f(input[i] - m);
    s = block_reduce(s, false);
    for (int i = threadIdx.x; i < N; i += 256) output[i] = exp2f(input[i] - m) / s;
}

extern "C" void solve(const float* input, float* output, int N) {
    softmax<<<1, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
