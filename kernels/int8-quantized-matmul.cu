#include <cuda_runtime.h>

__global__ void multiply(const signed char* A, const signed char* B, signed char* C, int M, int N, int K,
                         float scale, int zero_point_A, int zero_point_B, int zero_point_C) {
    // C[m * N + n] is rintf(scale * sum of (A[m * K + k] - zero_point_A) * (B[k * N + n] - zero_point_B))
    // plus zero_point_C, limited to -128 ... 127.
}

// A (M x K), B (K x N) and C (M x N) are device pointers.
extern "C" void solve(const signed char* A, const signed char* B, signed char* C, int M, int N, int K,
                      float scale_A, float scale_B, float scale_C, int zero_point_A, int zero_point_B,
                      int zero_point_C) {
    dim3 threads(16, 16);
    dim3 blocks((N + threads.x - 1) / threads.x, (M + threads.y - 1) / threads.y);
    multiply<<<blocks, threads>>>(A, B, C, M, N, K, scale_A * scale_B / scale_C, zero_point_A, zero_point_B,
                                  zero_point_C);
    cudaDeviceSynchronize();
}
