// Values pass through half precision. -> wrong_answer
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__global__ void copy(const float* A, float* B, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N * N) B[i] = __half2float(__float2half(A[i]));
}

extern "C" void solve(const float* A, float* B, int N) {
    copy<<<(N * N + 255) / 256, 256>>>(A, B, N);
    cudaDeviceSynchronize();
}
