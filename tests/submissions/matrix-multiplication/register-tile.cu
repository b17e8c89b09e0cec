// A tile of registers, filled by a lambda. -> accepted
#include <cuda_runtime.h>
template <int BM, int BN, int BK, int TM, int TN>
__global__ __launch_bounds__((BM / TM) * (BN / TN)) void gemm(int M, int N, int K, const float* A,
                                                              const float* B, float* C) {
    constexpr int THREADS = (BM / TM) * (BN / TN);
    __shared__ float As[2][BK][BM];
    __shared__ float Bs[2][BK][BN];
    const int tid = threadIdx.x, tr = tid / (BN / TN), tc = tid % (BN / TN);
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    auto load = [&](int buf, int k0) {
#pragma unroll
        for (int i = tid; i < BM * BK; i += THREADS) {
            int m = i / BK, k = i % BK;
            As[buf][k][m] = (row0 + m < M && k0 + k < K) ? A[(row0 + m) * K + k0 + k] : 0.0f;
        }
#pragma unroll
        for (int i = tid; i < BN * BK; i += THREADS) {
            int k = i / BN, n = i % BN;
            Bs[buf][k][n] = (col0 + n < N && k0 + k < K) ? B[(k0 + k) * N + col0 + n] : 0.0f;
        }
    };
    float acc[TM][TN] = {};
    load(0, 0);
    __syncthreads();
    int cur = 0;
    for (int k0 = 0; k0 < K; k0 += BK) {
        if (k0 + BK < K) load(cur ^ 1, k0 + BK);
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i) a[i] = As[cur][k][tr * TM + i];
#pragma unroll
            for (int j = 0; j < TN; ++j) b[j] = Bs[cur][k][tc * TN + j];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j) acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
        }
        __syncthreads();
        cur ^= 1;
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            int r = row0 + tr * TM + i, c = col0 + tc * TN + j;
            if (r < M && c < N) C[r * N + c] = acc[i][j];
        }
}
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 grid((K + 63) / 64, (M + 63) / 64);
    gemm<64, 64, 8, 4, 4><<<grid, 256>>>(M, K, N, A, B, C);
    cudaDeviceSynchronize();
}
