// One thread per element, one atomic per element, all of them on num_bins counters in global memory.
// Equal values meet at one address and are served one after the other.
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        atomicAdd(&histogram[input[i]], 1);
    }
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    int threads = 256;
    count<<<(N + threads - 1) / threads, threads>>>(input, histogram, N);
    cudaDeviceSynchronize();
}
