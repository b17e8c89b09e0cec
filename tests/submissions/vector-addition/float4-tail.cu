// Vectors, and one by one where they end. -> accepted
#include <cuda_runtime.h>
__global__ void add4(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int N) {
    int base = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (base + 3 < N) {
        float4 a = *reinterpret_cast<const float4*>(A + base);
        float4 b = __ldg(reinterpret_cast<const float4*>(B + base));
        float4 c = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
        *reinterpret_cast<float4*>(C + base) = c;
    } else {
        for (int i = base; i < N; ++i) C[i] = A[i] + B[i];
    }
}
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    dim3 block(128);
    dim3 grid((N + 511) / 512);
    add4<<<grid, block>>>(A, B, C, N);
    cudaDeviceSynchronize();
}
