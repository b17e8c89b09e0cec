// Merges 256 bins at most. -> wrong_answer
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
    __shared__ int bins[1024];
    for (int b = threadIdx.x; b < num_bins; b += 256) bins[b] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) atomicAdd(&bins[input[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < min(num_bins, 256); b += 256) atomicAdd(&histogram[b], bins[b]);
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    count<<<(N + 255) / 256, 256>>>(input, histogram, N, num_bins);
    cudaDeviceSynchronize();
}
