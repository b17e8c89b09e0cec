// Half of the warp reads the other half's sums, which never come to the shuffle. -> hazard
#include <cuda_runtime.h>

__global__ void sum(const float* input, float* output, int N) {
    float v = 0.0f;
    for (int i = threadIdx.x; i < N; i += 32) v += input[i];
    if (threadIdx.x < 16)
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0) output[0] = v;
}

extern "C" void solve(const float* input, float* output, int N) {
    sum<<<1, 32>>>(input, output, N);
    cudaDeviceSynchronize();
}
