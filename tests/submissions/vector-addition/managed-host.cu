// Copies in and out as if the pointers were the host's. -> accepted
#include <cuda_runtime.h>
__global__ void vadd(float* a, float* b, float* c, int n) {
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
void solve(const float* A, const float* B, float* C, int N) {
    float *da, *db, *dc;
    cudaMalloc((void**)&da, N * sizeof(float));
    cudaMalloc((void**)&db, N * sizeof(float));
    cudaMalloc((void**)&dc, N * sizeof(float));
    cudaMemcpy(da, A, N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, B, N * sizeof(float), cudaMemcpyHostToDevice);
    vadd<<<(N + 255) / 256, 256>>>(da, db, dc, N);
    cudaMemcpy(C, dc, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
}
