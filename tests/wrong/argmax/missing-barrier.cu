// Reduces in shared memory without waiting between steps. -> hazard
#include <cuda_runtime.h>

__global__ void find_largest(const float* input, int* output, int N) {
    __shared__ unsigned long long best[256];
    int t = threadIdx.x;
    best[t] = 0;
    for (int i = t; i < N; i += 256) {
        unsigned bits = __float_as_uint(input[i] + 0.0f);
        bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
        best[t] = max(best[t], (unsigned long long)bits << 32 | ~(unsigned)i);
    }
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) best[t] = max(best[t], best[t + s]);
    }
    if (t == 0) output[0] = (int)~(unsigned)best[0];
}

extern "C" void solve(const float* input, int* output, int N) {
    find_largest<<<1, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
