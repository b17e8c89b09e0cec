// Scratch memory allocated at the first call only. -> accepted
#include <cuda_runtime.h>
__global__ void r(const float* in, float* part, int n) {
    __shared__ float s[256];
    float v = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) v += in[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = 128; k; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (!threadIdx.x) part[blockIdx.x] = s[0];
}
extern "C" void solve(const float* input, float* output, int N) {
    static float* scratch = nullptr;
    if (!scratch) cudaMalloc(&scratch, 64 * sizeof(float));
    r<<<64, 256>>>(input, scratch, N);
    r<<<1, 256>>>(scratch, output, 64);
}
