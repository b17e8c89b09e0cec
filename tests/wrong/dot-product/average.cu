// Divides by the number of elements. -> wrong_answer
#include <cuda_runtime.h>

__global__ void dot(const float* A, const float* B, float* result, int N) {
    __shared__ float a[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[t] = i < N ? A[i] * B[i] : 0.0f;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) a[t] += a[t + s];
        __syncthreads();
    }
    if (t == 0) atomicAdd(result, a[0] / N);
}

extern "C" void solve(const float* A, const float* B, float* result, int N) {
    dot<<<(N + 255) / 256, 256>>>(A, B, result, N);
    cudaDeviceSynchronize();
}
