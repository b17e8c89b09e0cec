// Adds whole parts only. -> wrong_answer
#include <cuda_runtime.h>

__global__ void sum(const float* input, float* output, int N) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) atomicAdd(&total, static_cast<int>(input[i]));
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(output, static_cast<float>(total));
}

extern "C" void solve(const float* input, float* output, int N) {
    sum<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
