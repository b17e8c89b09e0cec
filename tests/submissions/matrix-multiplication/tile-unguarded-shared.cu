// Threads outside leave parts of the tile unwritten and compute what nobody stores. -> accepted
#include <cuda_runtime.h>
#define TS 16
__global__ void mm(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a[TS][TS], b[TS][TS];
    int row = blockIdx.y * TS + threadIdx.y, col = blockIdx.x * TS + threadIdx.x;
    float acc = 0.f;
    for (int t = 0; t < (N + TS - 1) / TS; ++t) {
        int ka = t * TS + threadIdx.x, kb = t * TS + threadIdx.y;
        if (row < M && ka < N) a[threadIdx.y][threadIdx.x] = A[row * N + ka];
        if (kb < N && col < K) b[threadIdx.y][threadIdx.x] = B[kb * K + col];
        __syncthreads();
        for (int k = 0; k < min(TS, N - t * TS); ++k) acc += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < K) C[row * K + col] = acc;
}
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    mm<<<dim3((K + TS - 1) / TS, (M + TS - 1) / TS), dim3(TS, TS)>>>(A, B, C, M, N, K);
}
