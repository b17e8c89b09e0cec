// Reduces inside warps and forgets all but the first of each block. -> wrong_answer
#include <cuda_runtime.h>

__global__ void sum(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < N ? input[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0) atomicAdd(output, v);
}

extern "C" void solve(const float* input, float* output, int N) {
    sum<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
