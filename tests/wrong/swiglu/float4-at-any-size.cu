// The second half is misaligned unless N is a multiple of 8. -> hazard, runtime_error, wrong_answer
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 a, c;
    if (i < half / 4) {
        a = reinterpret_cast<const float4*>(input)[i], c = reinterpret_cast<const float4*>(input + half)[i];
        a.x *= c.x / (1.0f + expf(-a.x)), a.y *= c.y / (1.0f + expf(-a.y));
        a.z *= c.z / (1.0f + expf(-a.z)), a.w *= c.w / (1.0f + expf(-a.w));
        reinterpret_cast<float4*>(output)[i] = a;
    }
    int k = half / 4 * 4 + i;
    if (k < half) output[k] = input[k] / (1.0f + expf(-input[k])) * input[half + k];
}

extern "C" void solve(const float* input, float* output, int N) {
    swiglu<<<(N / 2 + 255) / 256, 256>>>(input, output, N / 2);
    cudaDeviceSynchronize();
}
