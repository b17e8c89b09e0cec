// A template of two parameters, launched with chevrons apart. -> accepted
#include <cuda_runtime.h>
template <typename T, int PER>
__global__ void add(const T* __restrict__ a, const T* b, T* c, const int n) {
    const int first = blockIdx.x * blockDim.x * PER + threadIdx.x;
#pragma unroll
    for (int k = 0; k < PER; k++) {
        int i = first + k * blockDim.x;
        if (i < n) c[i] = a[i] + b[i];
    }
}
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    constexpr int T = 64;
    constexpr int P = 4;
    const auto blocks = (N + T * P - 1) / (T * P);
    add<float, P> << <blocks, T>> >(A, B, C, N);
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess) {
        return;
    }
    cudaDeviceSynchronize();
}
