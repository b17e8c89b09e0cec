// Increments without atomics. -> hazard
__global__ void h(const int* in, int* hist, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) hist[in[i]]++;
}
extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    h<<<(N + 255) / 256, 256>>>(input, histogram, N);
}
