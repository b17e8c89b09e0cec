// Writes the transpose. -> wrong_answer
#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, int N) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < N && c < N) B[c * N + r] = A[r * N + c];
}

extern "C" void solve(const float* A, float* B, int N) {
    copy<<<dim3((N + 31) / 32, (N + 7) / 8), dim3(32, 8)>>>(A, B, N);
    cudaDeviceSynchronize();
}
