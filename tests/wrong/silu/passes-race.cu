// Both passes in one kernel, each over other elements, without anything in between. -> hazard, wrong_answer
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) output[i] = 1.0f / (1.0f + expf(-input[i]));
    int k = N - 1 - i;
    if (i < N) output[k] *= input[k];
}

extern "C" void solve(const float* input, float* output, int N) {
    silu<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
