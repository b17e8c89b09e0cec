// Counts one bin too far. -> wrong_answer, hazard, rejected, runtime_error
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) atomicAdd(&histogram[input[i] + 1], 1);
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    count<<<(N + 255) / 256, 256>>>(input, histogram, N, num_bins);
    cudaDeviceSynchronize();
}
