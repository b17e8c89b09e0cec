// The block that finishes last adds up what the others left. -> accepted
#include <cuda_runtime.h>
__device__ unsigned done = 0;
__device__ float parts[1024];
__global__ void r(const float* in, float* out, int n) {
    __shared__ float s[256];
    __shared__ bool last;
    float v = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) v += in[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = 128; k; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        v = 0;
        for (int i = threadIdx.x; i < gridDim.x; i += 256) v += ((volatile float*)parts)[i];
        s[threadIdx.x] = v;
        __syncthreads();
        for (int k = 128; k; k >>= 1) {
            if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            *out = s[0];
            done = 0;
        }
    }
}
extern "C" void solve(const float* input, float* output, int N) {
    int b = min((N + 255) / 256, 256);
    r<<<b, 256>>>(input, output, N);
}
