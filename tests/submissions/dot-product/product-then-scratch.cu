// Products in scratch memory, halved launch by launch. -> accepted
#include <cuda_runtime.h>
__global__ void mul(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] * b[i];
}
__global__ void halve(float* x, int n, int h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + h < n) x[i] += x[i + h];
}
extern "C" void solve(const float* A, const float* B, float* result, int N) {
    float* p;
    if (cudaMalloc(&p, sizeof(float) * N) != cudaSuccess) return;
    mul<<<(N + 255) / 256, 256>>>(A, B, p, N);
    for (int n = N; n > 1;) {
        int h = (n + 1) / 2;
        halve<<<(h + 255) / 256, 256>>>(p, n, h);
        n = h;
    }
    cudaMemcpyAsync(result, p, sizeof(float), cudaMemcpyDeviceToDevice, 0);
    cudaFree(p);
}
