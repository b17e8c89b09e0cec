// Tile elements outside the matrices keep old values. -> wrong_answer, hazard
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a[16][16], b[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int k = blockIdx.x * 16 + threadIdx.x, m = blockIdx.y * 16 + threadIdx.y;
    float sum = 0.0f;
    for (int t = 0; t < (N + 15) / 16; ++t) {
        int na = t * 16 + tx, nb = t * 16 + ty;
        if (m < M && na < N) a[ty][tx] = A[m * N + na];
        if (nb < N && k < K) b[ty][tx] = B[nb * K + k];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += a[ty][i] * b[i][tx];
        __syncthreads();
    }
    if (m < M && k < K) C[m * K + k] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    multiply<<<dim3((K + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
