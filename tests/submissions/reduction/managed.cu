// Partial sums end in managed memory. -> accepted
#include <cuda_runtime.h>
__global__ void r(const float* in, float* part, int n) {
    float v = 0;
    for (int i = threadIdx.x; i < n; i += 64) v += in[i];
    part[threadIdx.x] = v;
}
extern "C" void solve(const float* input, float* output, int N) {
    float* part;
    cudaMallocManaged(&part, 64 * sizeof(float));
    r<<<1, 64>>>(input, part, N);
    cudaDeviceSynchronize();
    float s = 0;
    for (int i = 0; i < 64; ++i) s += part[i];
    cudaMemcpy(output, &s, sizeof(float), cudaMemcpyHostToDevice);
    cudaFree(part);
}
