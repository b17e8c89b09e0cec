// The last N % 4 elements are never written. -> wrong_answer, runtime_error
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 4) {
        float4 a = reinterpret_cast<const float4*>(A)[i], b = reinterpret_cast<const float4*>(B)[i];
        reinterpret_cast<float4*>(C)[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add<<<(N / 4 + 256) / 256, 256>>>(A, B, C, N);
    cudaDeviceSynchronize();
}
