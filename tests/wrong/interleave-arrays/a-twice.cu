// Reads A for both places. -> wrong_answer
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 2 * N) output[i] = A[i / 2];
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
    interleave<<<(2 * N + 255) / 256, 256>>>(A, B, output, N);
    cudaDeviceSynchronize();
}
