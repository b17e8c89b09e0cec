// A histogram for each warp; runs of equal values add once. -> accepted
#include <cuda_runtime.h>
#define WARPS 4
__global__ void h(const int* __restrict__ in, int* hist, int n, int bins) {
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < WARPS * bins; i += blockDim.x) s[i] = 0;
    __syncthreads();
    int* mine = s + (threadIdx.x >> 5) * bins;
    int acc = 0, prev = -1;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        int b = in[i];
        if (b == prev)
            acc++;
        else {
            if (acc) atomicAdd(&mine[prev], acc);
            acc = 1;
            prev = b;
        }
    }
    if (acc) atomicAdd(&mine[prev], acc);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) {
        int t = 0;
        for (int w = 0; w < WARPS; ++w) t += s[w * bins + b];
        if (t) atomicAdd(&hist[b], t);
    }
}
extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    h<<<8, WARPS * 32, WARPS * num_bins * sizeof(int)>>>(input, histogram, N, num_bins);
}
