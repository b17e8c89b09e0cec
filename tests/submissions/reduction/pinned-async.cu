// Partial sums end in pinned memory. -> accepted
#include <cuda_runtime.h>
__global__ void r(const float* in, float* part, int n) {
    float v = 0;
    for (int i = threadIdx.x; i < n; i += 64) v += in[i];
    part[threadIdx.x] = v;
}
extern "C" void solve(const float* input, float* output, int N) {
    cudaStream_t st;
    cudaStreamCreate(&st);
    float *part, *h;
    cudaMallocAsync(&part, 64 * sizeof(float), st);
    cudaMallocHost(&h, 64 * sizeof(float));
    r<<<1, 64, 0, st>>>(input, part, N);
    cudaMemcpyAsync(h, part, 64 * sizeof(float), cudaMemcpyDeviceToHost, st);
    cudaStreamSynchronize(st);
    double s = 0;
    for (int i = 0; i < 64; ++i) s += h[i];
    *h = (float)s;
    cudaMemcpyAsync(output, h, sizeof(float), cudaMemcpyHostToDevice, st);
    cudaStreamSynchronize(st);
    cudaFreeAsync(part, st);
    cudaFreeHost(h);
    cudaStreamDestroy(st);
}
