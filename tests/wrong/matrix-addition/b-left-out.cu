// Copies A. -> wrong_answer
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < N && c < N) C[r * N + c] = A[r * N + c];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add<<<dim3((N + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>(A, B, C, N);
    cudaDeviceSynchronize();
}
