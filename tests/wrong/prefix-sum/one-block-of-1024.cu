// One block, so at most 1024 elements. -> wrong_answer
#include <cuda_runtime.h>

__global__ void scan(const float* input, float* output, int N) {
    __shared__ float a[1024];
    int t = threadIdx.x;
    a[t] = t < N ? input[t] : 0.0f;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        float v = t >= d ? a[t - d] : 0.0f;
        __syncthreads();
        a[t] += v;
        __syncthreads();
    }
    if (t < N) output[t] = a[t];
}

extern "C" void solve(const float* input, float* output, int N) {
    scan<<<1, 1024>>>(input, output, N);
    cudaDeviceSynchronize();
}
