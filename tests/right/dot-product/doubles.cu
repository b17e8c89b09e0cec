// Products and sums in double precision, rounded once at the end.
#include <cuda_runtime.h>

__global__ void dot(const float* A, const float* B, double* total, int N) {
    double v = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        v += (double)A[i] * B[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(total, v);
}

__global__ void narrow(const double* total, float* result) {
    *result = (float)*total;
}

extern "C" void solve(const float* A, const float* B, float* result, int N) {
    double* total;
    cudaMalloc(&total, sizeof(double));
    cudaMemset(total, 0, sizeof(double));
    dot<<<24, 256>>>(A, B, total, N);
    narrow<<<1, 1>>>(total, result);
    cudaFree(total);
}
