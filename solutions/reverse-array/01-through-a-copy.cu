// The whole vector goes into scratch memory and comes back from the far end: no thought about order needed.
// But every element crosses the memory bus four times instead of twice.
#include <cuda_runtime.h>

__global__ void copy_reversed(const float* from, float* to, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        to[i] = from[N - 1 - i];
    }
}

extern "C" void solve(float* input, int N) {
    int threads = 256;
    float* scratch;
    cudaMalloc(&scratch, (size_t)N * sizeof(float));
    cudaMemcpy(scratch, input, (size_t)N * sizeof(float), cudaMemcpyDeviceToDevice);
    copy_reversed<<<(N + threads - 1) / threads, threads>>>(scratch, input, N);
    cudaFree(scratch);
}
