// Rows longer than a block are cut off. -> wrong_answer
#include <cuda_runtime.h>

__device__ float block_reduce(float v, bool largest) {
    __shared__ float part[128];
    int t = threadIdx.x;
    part[t] = v;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) part[t] = largest ? fmaxf(part[t], part[t + s]) : part[t] + part[t + s];
        __syncthreads();
    }
    v = part[0];
    __syncthreads();
    return v;
}

__global__ void softmax(const float* input, float* output, int cols) {
    const float* x = input + (size_t)blockIdx.x * cols;
    float* y = output + (size_t)blockIdx.x * cols;
    float m = -INFINITY, s = 0.0f;
    if (int c = threadIdx.x; c < cols) m = fmaxf(m, x[c]);
    m = block_reduce(m, true);
    if (int c = threadIdx.x; c < cols) s += expf(x[c] - m);
    s = block_reduce(s, false);
    if (int c = threadIdx.x; c < cols) y[c] = expf(x[c] - m) / s;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    softmax<<<rows, 128>>>(input, output, cols);
    cudaDeviceSynchronize();
}
