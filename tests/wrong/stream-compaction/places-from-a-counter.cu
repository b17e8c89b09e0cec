// Takes places from an atomic counter: in order only where threads happen to come in order. -> wrong_answer
#include <cuda_runtime.h>

__device__ int used;

__global__ void clear() { used = 0; }

__global__ void compact(const float* A, int N, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N && A[i] > 0.0f) out[atomicAdd(&used, 1)] = A[i];
}

extern "C" void solve(const float* A, int N, float* out) {
    clear<<<1, 1>>>();
    compact<<<(N + 255) / 256, 256>>>(A, N, out);
    cudaDeviceSynchronize();
}
