// The last block writes beyond the matrix. -> hazard, rejected, runtime_error
#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    B[i] = A[i];
}

extern "C" void solve(const float* A, float* B, int N) {
    copy<<<(N * N + 255) / 256, 256>>>(A, B, N);
    cudaDeviceSynchronize();
}
