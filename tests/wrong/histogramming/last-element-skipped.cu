// The guard is one element too strict. -> wrong_answer
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N - 1) atomicAdd(&histogram[input[i]], 1);
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    count<<<(N + 255) / 256, 256>>>(input, histogram, N, num_bins);
    cudaDeviceSynchronize();
}
