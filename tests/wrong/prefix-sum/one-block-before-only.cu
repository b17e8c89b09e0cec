// Adds the total of the block before, not of all before. -> wrong_answer
#include <cuda_runtime.h>

__global__ void scan_blocks(const float* input, float* output, float* totals, int N) {
    __shared__ float a[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < N ? input[i] : 0.0f;
    a[t] = x;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        float v = t >= d ? a[t - d] : 0.0f;
        __syncthreads();
        a[t] += v;
        __syncthreads();
    }
    if (i < N) output[i] = a[t];
    if (t == 255) totals[blockIdx.x] = a[t];
}

__global__ void add_totals(float* output, const float* totals, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float before = 0.0f;
    if (blockIdx.x > 0) before = totals[blockIdx.x - 1];
    if (i < N) output[i] += before;
}

extern "C" void solve(const float* input, float* output, int N) {
    int blocks = (N + 255) / 256;
    float* totals;
    cudaMalloc(&totals, blocks * sizeof(float));
    scan_blocks<<<blocks, 256>>>(input, output, totals, N);
    add_totals<<<blocks, 256>>>(output, totals, N);
    cudaFree(totals);
    cudaDeviceSynchronize();
}
