// Takes places from an atomic counter, in no order. -> wrong_answer
#include <cuda_runtime.h>

__global__ void compact(const float* A, int N, float* out, int* used) {
    int i = (gridDim.x - 1 - blockIdx.x) * 256 + threadIdx.x;
    if (i < N && A[i] > 0.0f) out[atomicAdd(used, 1)] = A[i];
}

extern "C" void solve(const float* A, int N, float* out) {
    int* used;
    cudaMalloc(&used, sizeof(int));
    cudaMemset(used, 0, sizeof(int));
    compact<<<(N + 255) / 256, 256>>>(A, N, out, used);
    cudaFree(used);
    cudaDeviceSynchronize();
}
