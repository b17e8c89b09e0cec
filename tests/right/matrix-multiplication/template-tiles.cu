// A templated kernel with dynamic shared memory.
#include <cuda_runtime.h>

template <int T>
__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
    extern __shared__ float tiles[];
    float *a = tiles, *b = tiles + T * T;
    int tx = threadIdx.x, ty = threadIdx.y, k = blockIdx.x * T + tx, m = blockIdx.y * T + ty;
    float sum = 0.0f;
    for (int n = 0; n < N; n += T) {
        a[ty * T + tx] = m < M && n + tx < N ? A[m * N + n + tx] : 0.0f;
        b[ty * T + tx] = n + ty < N && k < K ? B[(n + ty) * K + k] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < T; ++i) sum = fmaf(a[ty * T + i], b[i * T + tx], sum);
        __syncthreads();
    }
    if (m < M && k < K) C[m * K + k] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    constexpr int T = 32;
    dim3 grid((K + T - 1) / T, (M + T - 1) / T), block(T, T);
    multiply<T><<<grid, block, 2 * T * T * sizeof(float)>>>(A, B, C, M, N, K);
    cudaDeviceSynchronize();
}
