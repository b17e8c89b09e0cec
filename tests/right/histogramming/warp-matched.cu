// Lanes with equal values find each other; one of them adds for all. Clears the counters itself.
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
        unsigned int same = __match_any_sync(__activemask(), input[i]);
        if (__ffs(same) - 1 == threadIdx.x % 32) atomicAdd(&histogram[input[i]], __popc(same));
    }
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    cudaMemset(histogram, 0, num_bins * sizeof(int));
    count<<<32, 256>>>(input, histogram, N);
}
