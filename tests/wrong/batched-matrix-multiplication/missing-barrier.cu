// Fills the tiles of the next step while other warps still read these. -> hazard
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    __shared__ float a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, n = blockIdx.x * 16 + x, m = blockIdx.y * 16 + y, batch = blockIdx.z;
    float sum = 0.0f;
    for (int k = 0; k < K; k += 16) {
        a[y][x] = m < M && k + x < K ? A[(batch * M + m) * K + k + x] : 0.0f;
        b[y][x] = k + y < K && n < N ? B[(batch * K + k + y) * N + n] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
    }
    if (m < M && n < N) C[(batch * M + m) * N + n] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int BATCH, int M, int N, int K) {
    multiply<<<dim3((N + 15) / 16, (M + 15) / 16, BATCH), dim3(16, 16)>>>(A, B, C, BATCH, M, N, K);
    cudaDeviceSynchronize();
}
