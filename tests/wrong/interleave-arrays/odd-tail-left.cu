// The last pair of an odd N is never written. -> wrong_answer, runtime_error
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 2) {
        float2 a = reinterpret_cast<const float2*>(A)[i], b = reinterpret_cast<const float2*>(B)[i];
        reinterpret_cast<float4*>(output)[i] = make_float4(a.x, b.x, a.y, b.y);
    }
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
    interleave<<<(N / 2 + 256) / 256, 256>>>(A, B, output, N);
    cudaDeviceSynchronize();
}
