// The last N % 4 elements are not added. -> wrong_answer
#include <cuda_runtime.h>

__global__ void sum(const float* input, float* output, int N) {
    float v = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N / 4; i += gridDim.x * blockDim.x) {
        float4 p = reinterpret_cast<const float4*>(input)[i];
        v += (p.x + p.y) + (p.z + p.w);
    }
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(output, v);
}

extern "C" void solve(const float* input, float* output, int N) {
    sum<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
