// Launch bounds before the specifier, 64-bit strides. -> accepted
#include <cuda_runtime.h>
template <typename T>
__launch_bounds__(256) __global__
    void add(T const* __restrict__ A, T const* __restrict__ B, T* __restrict__ C, int64_t const n) {
    for (int64_t i = threadIdx.x + (int64_t)blockIdx.x * blockDim.x; i < n;
         i += (int64_t)gridDim.x * blockDim.x)
        C[i] = A[i] + B[i];
}
extern "C" void solve(float const* A, float const* B, float* C, int const N) {
    int64_t n = 1LL * N * N;
    int sm = 0;
    cudaDeviceGetAttribute(&sm, cudaDevAttrMultiProcessorCount, 0);
    add<float><<<std::min<int64_t>((n + 255) / 256, sm * 8), 256>>>(A, B, C, n);
}
