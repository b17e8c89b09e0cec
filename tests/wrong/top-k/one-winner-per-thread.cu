// Keeps one element per thread. -> wrong_answer
#include <cuda_runtime.h>

__global__ void rank(const float* input, float* output, int N, int k) {
    __shared__ float best[1024];
    int t = threadIdx.x;
    best[t] = -INFINITY;
    for (int i = t; i < N; i += 1024) best[t] = max(best[t], input[i]);
    __syncthreads();
    int place = 0;
    for (int j = 0; j < 1024; ++j) place += best[j] > best[t] || (best[j] == best[t] && j < t);
    if (place < k) output[place] = best[t];
}

extern "C" void solve(const float* input, float* output, int N, int k) {
    rank<<<1, 1024>>>(input, output, N, k);
    cudaDeviceSynchronize();
}
