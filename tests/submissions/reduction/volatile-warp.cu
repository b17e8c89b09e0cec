// The last warp without barriers, on volatile memory. -> accepted
#include <cuda_runtime.h>
__device__ void warpReduce(volatile float* s, int t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}
__global__ void r(const float* in, float* out, int n) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    s[t] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t < 32) warpReduce(s, t);
    if (t == 0) atomicAdd(out, s[0]);
}
extern "C" void solve(const float* input, float* output, int N) {
    r<<<(N + 511) / 512, 256, 256 * sizeof(float)>>>(input, output, N);
}
