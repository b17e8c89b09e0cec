// Eleven bits of the tanh instruction are too few. -> wrong_answer
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float x = input[i], t;
        asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(0.5f * x));
        output[i] = 0.5f * x * (1.0f + t);
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    silu<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
