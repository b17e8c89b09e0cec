// Increments without an atomic. -> wrong_answer, hazard
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) histogram[input[i]]++;
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    count<<<(N + 255) / 256, 256>>>(input, histogram, N, num_bins);
    cudaDeviceSynchronize();
}
