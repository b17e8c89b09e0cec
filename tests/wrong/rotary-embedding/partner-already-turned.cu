// Turns in two steps and uses the first result in the second. -> wrong_answer, hazard
#include <cuda_runtime.h>

__global__ void rotate(const float* Q, const float* cos, const float* sin, float* output, int M, int D) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int d = i % D, half = D / 2;
    if (i < M * D && d < half) {
        output[i] = Q[i] * cos[i] - Q[i + half] * sin[i];
        output[i + half] = Q[i + half] * cos[i + half] + output[i] * sin[i + half];
    }
}

extern "C" void solve(const float* Q, const float* cos, const float* sin, float* output, int M, int D) {
    rotate<<<(M * D + 255) / 256, 256>>>(Q, cos, sin, output, M, D);
    cudaDeviceSynchronize();
}
