// The last N % 4 elements are never written. -> wrong_answer, runtime_error
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 4) {
        float4 x = reinterpret_cast<const float4*>(input)[i];
        x.x /= 1.0f + expf(-x.x), x.y /= 1.0f + expf(-x.y), x.z /= 1.0f + expf(-x.z), x.w /= 1.0f + expf(-x.w);
        reinterpret_cast<float4*>(output)[i] = x;
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    silu<<<(N / 4 + 256) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
