// Half of each warp skips a shuffle that names all lanes. -> hazard, timed_out
#include <cuda_runtime.h>

__global__ void dot(const float* A, const float* B, float* result, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < N ? A[i] * B[i] : 0.0f;
    if (threadIdx.x % 32 < 16)
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    __syncthreads();
    if (threadIdx.x % 32 == 0) atomicAdd(result, v);
}

extern "C" void solve(const float* A, const float* B, float* result, int N) {
    dot<<<(N + 255) / 256, 256>>>(A, B, result, N);
    cudaDeviceSynchronize();
}
