// Every block normalizes its 256 scores alone. -> wrong_answer
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
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < N ? input[i] : -INFINITY;
    float m = block_reduce(x, true);
    float s = block_reduce(i < N ? expf(x - m) : 0.0f, false);
    if (i < N) output[i] = expf(x - m) / s;
}

extern "C" void solve(const float* input, float* output, int N) {
    softmax<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
