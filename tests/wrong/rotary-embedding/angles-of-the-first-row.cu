// Takes the angles of row 0 for all rows. -> wrong_answer
#include <cuda_runtime.h>

__global__ void rotate(const float* Q, const float* cos, const float* sin, float* output, int M, int D) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int d = i % D, half = D / 2;
    if (i < M * D) {
        float partner = d < half ? -Q[i + half] : Q[i - half];
        output[i] = Q[i] * cos[d] + partner * sin[d];
    }
}

extern "C" void solve(const float* Q, const float* cos, const float* sin, float* output, int M, int D) {
    rotate<<<(M * D + 255) / 256, 256>>>(Q, cos, sin, output, M, D);
    cudaDeviceSynchronize();
}
