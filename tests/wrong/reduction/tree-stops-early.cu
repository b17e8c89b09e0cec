// The last step of the tree is missing. -> wrong_answer
#include <cuda_runtime.h>

__global__ void sum(const float* input, float* output, int N) {
    __shared__ float a[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[t] = i < N ? input[i] : 0.0f;
    __syncthreads();
    for (int s = 128; s > 1; s /= 2) {
        if (t < s) a[t] += a[t + s];
        __syncthreads();
    }
    if (t == 0) atomicAdd(output, a[0]);
}

extern "C" void solve(const float* input, float* output, int N) {
    sum<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
