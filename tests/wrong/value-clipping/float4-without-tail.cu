// The last N % 4 elements are never written. -> wrong_answer, runtime_error
#include <cuda_runtime.h>

__global__ void clip(const float* input, float* output, float lo, float hi, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 4) {
        float4 v = reinterpret_cast<const float4*>(input)[i];
        v.x = fminf(fmaxf(v.x, lo), hi), v.y = fminf(fmaxf(v.y, lo), hi);
        v.z = fminf(fmaxf(v.z, lo), hi), v.w = fminf(fmaxf(v.w, lo), hi);
        reinterpret_cast<float4*>(output)[i] = v;
    }
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
    clip<<<(N / 4 + 256) / 256, 256>>>(input, output, lo, hi, N);
    cudaDeviceSynchronize();
}
