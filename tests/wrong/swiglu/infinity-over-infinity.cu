// exp(a) / (1 + exp(a)) is NaN for large a. -> wrong_answer
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) output[i] = input[i] * expf(input[i]) / (1.0f + expf(input[i])) * input[half + i];
}

extern "C" void solve(const float* input, float* output, int N) {
    swiglu<<<(N / 2 + 255) / 256, 256>>>(input, output, N / 2);
    cudaDeviceSynchronize();
}
