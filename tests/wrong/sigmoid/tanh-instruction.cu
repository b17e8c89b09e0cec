// Eleven bits of the tanh instruction are too few. -> wrong_answer
#include <cuda_runtime.h>

__global__ void sigmoid(const float* X, float* Y, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float t;
        asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(0.5f * X[i]));
        Y[i] = 0.5f * t + 0.5f;
    }
}

extern "C" void solve(const float* X, float* Y, int N) {
    sigmoid<<<(N + 255) / 256, 256>>>(X, Y, N);
    cudaDeviceSynchronize();
}
