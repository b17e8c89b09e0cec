// The last N % 4 elements are never written. -> wrong_answer, runtime_error
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 4) {
        float4 v = reinterpret_cast<const float4*>(input)[i];
        reinterpret_cast<float4*>(output)[i] =
            make_float4(fmaxf(v.x, 0.0f), fmaxf(v.y, 0.0f), fmaxf(v.z, 0.0f), fmaxf(v.w, 0.0f));
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    relu<<<(N / 4 + 256) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
