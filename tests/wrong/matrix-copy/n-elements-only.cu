// Copies N elements of N * N. -> wrong_answer
#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) B[i] = A[i];
}

extern "C" void solve(const float* A, float* B, int N) {
    copy<<<(N + 255) / 256, 256>>>(A, B, N);
    cudaDeviceSynchronize();
}
