// Writes N elements where the output has N / 2. -> hazard, rejected, runtime_error
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 2 * half) output[i] = input[i % half] / (1.0f + expf(-input[i % half])) * input[half + i % half];
}

extern "C" void solve(const float* input, float* output, int N) {
    swiglu<<<(N + 255) / 256, 256>>>(input, output, N / 2);
    cudaDeviceSynchronize();
}
