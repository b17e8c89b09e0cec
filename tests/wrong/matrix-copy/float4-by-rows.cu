// Every row is copied as float4s, which are aligned only if N is a multiple of 4. -> hazard, runtime_error, wrong_answer
#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, int N) {
    int q = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (q < (N + 3) / 4) reinterpret_cast<float4*>(B + r * N)[q] = reinterpret_cast<const float4*>(A + r * N)[q];
}

extern "C" void solve(const float* A, float* B, int N) {
    copy<<<dim3((N + 1023) / 1024, N), 256>>>(A, B, N);
    cudaDeviceSynchronize();
}
