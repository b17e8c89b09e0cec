// Keeps partial sums in half precision. -> wrong_answer
#include <cuda_runtime.h>

#include <cuda_fp16.h>

__global__ void sum(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half v = __float2half(i < N ? input[i] : 0.0f);
    for (int d = 16; d > 0; d /= 2) v = __hadd(v, __shfl_down_sync(0xffffffff, v, d));
    if (threadIdx.x % 32 == 0) atomicAdd(output, __half2float(v));
}

extern "C" void solve(const float* input, float* output, int N) {
    sum<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
