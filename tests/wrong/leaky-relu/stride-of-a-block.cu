// A grid-stride loop that steps by a block: every element is done by many blocks, and it is in place. -> rejected, hazard, wrong_answer
#include <cuda_runtime.h>

__global__ void leaky_relu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float* x = const_cast<float*>(input);
    for (; i < N; i += blockDim.x) {
        if (x[i] < 0.0f) x[i] *= 0.01f;
        output[i] = x[i];
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    leaky_relu<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
