// The last N * N % 4 elements are never written. -> wrong_answer, runtime_error
#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N * N / 4) reinterpret_cast<float4*>(B)[i] = reinterpret_cast<const float4*>(A)[i];
}

extern "C" void solve(const float* A, float* B, int N) {
    copy<<<(N * N / 4 + 256) / 256, 256>>>(A, B, N);
    cudaDeviceSynchronize();
}
