// The last N % 4 elements are never written. -> wrong_answer, runtime_error
#include <cuda_runtime.h>

__global__ void leaky_relu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 4) {
        float4 v = reinterpret_cast<const float4*>(input)[i];
        v.x = fmaxf(v.x, 0.01f * v.x), v.y = fmaxf(v.y, 0.01f * v.y);
        v.z = fmaxf(v.z, 0.01f * v.z), v.w = fmaxf(v.w, 0.01f * v.w);
        reinterpret_cast<float4*>(output)[i] = v;
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    leaky_relu<<<(N / 4 + 256) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
