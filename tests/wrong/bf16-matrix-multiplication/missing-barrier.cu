// Overwrites the shared tiles while other warps still multiply them. -> hazard
#include <cuda_bf16.h>
#include <cuda_runtime.h>

__global__ void multiply(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    __shared__ float a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, n = blockIdx.x * 16 + x, m = blockIdx.y * 16 + y;
    float sum = 0.0f;
    for (int k = 0; k < K; k += 16) {
        a[y][x] = m < M && k + x < K ? __bfloat162float(A[m * K + k + x]) : 0.0f;
        b[y][x] = k + y < K && n < N ? __bfloat162float(B[(k + y) * N + n]) : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];
    }
    if (m < M && n < N) C[m * N + n] = __float2bfloat16(sum);
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    multiply<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
