// Counters of 16 bits in shared memory: more than 65,535 of a value start again at 0. -> wrong_answer
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
    __shared__ unsigned int pairs[512];  // two bins a word
    for (int k = threadIdx.x; k < 512; k += blockDim.x) pairs[k] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x) atomicAdd(&pairs[input[i] / 2], 1u << 16 * (input[i] % 2));
    __syncthreads();
    for (int b = threadIdx.x; b < num_bins; b += blockDim.x) {
        histogram[b] = pairs[b / 2] >> 16 * (b % 2) & 0xffff;
    }
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    count<<<1, 1024>>>(input, histogram, N, num_bins);
    cudaDeviceSynchronize();
}
