// No barrier after clearing the counters. -> hazard
__global__ void h(const int* in, int* hist, int n, int bins) {
    __shared__ int s[1024];
    for (int i = threadIdx.x; i < bins; i += blockDim.x) s[i] = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&s[in[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x) hist[i] = s[i];
}
extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    h<<<1, 256>>>(input, histogram, N, num_bins);
}
