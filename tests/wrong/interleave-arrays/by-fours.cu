// Takes float4s from A and B in turn. -> wrong_answer, hazard
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) output[i / 4 * 8 + i % 4] = A[i], output[i / 4 * 8 + 4 + i % 4] = B[i];
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
    interleave<<<(N + 255) / 256, 256>>>(A, B, output, N / 4 * 4);
    cudaDeviceSynchronize();
}
