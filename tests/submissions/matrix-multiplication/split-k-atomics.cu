// The inner dimension in four parts that meet by atomics. -> accepted
#include <cuda_runtime.h>
__global__ void zero(float* C, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) C[i] = 0;
}
__global__ void mm(const float* A, const float* B, float* C, int M, int N, int K, int chunk) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y, lo = blockIdx.z * chunk,
        hi = min(lo + chunk, N);
    if (col >= K || lo >= hi) return;
    float s = 0;
    for (int i = lo; i < hi; ++i) s += A[row * N + i] * B[i * K + col];
    atomicAdd(C + row * K + col, s);
}
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    zero<<<(M * K + 255) / 256, 256>>>(C, M * K);
    mm<<<dim3((K + 31) / 32, M, 4), 32>>>(A, B, C, M, N, K, (N + 3) / 4);
}
