// The grid rounds down, so partial tiles are left out. -> wrong_answer, runtime_error
#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, int N) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < N && c < N) B[r * N + c] = A[r * N + c];
}

extern "C" void solve(const float* A, float* B, int N) {
    if (N >= 32) copy<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(A, B, N);
    cudaDeviceSynchronize();
}
