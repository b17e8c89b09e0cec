// Exponentials in half precision. -> wrong_answer
#include <cuda_runtime.h>

#include <cuda_fp16.h>

__device__ float block_reduce(float v, bool largest) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = v;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) part[t] = largest ? fmaxf(part[t], part[t + s]) : part[t] + part[t + s];
        __syncthreads();
    }
    v = part[0];
    __syncthreads();
    return v;
}

__global__ void softmax(const float* input, float* output, int N) {
    float m = -INFINITY, s = 0.0f;
    for (int i = threadIdx.x; i < N; i += 256) m = fmaxf(m, input[i]);
    m = block_reduce(m, true);
    for (int i = threadIdx.x; i < N; i += 256) s += __half2float(hexp(__float2half(input[i] - m)));
    s = block_reduce(s, false);
    for (int i = threadIdx.x; i < N; i += 256) output[i] = __half2float(hexp(__float2half(input[i] - m))) / s;
}

extern "C" void solve(const float* input, float* output, int N) {
    softmax<<<1, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
