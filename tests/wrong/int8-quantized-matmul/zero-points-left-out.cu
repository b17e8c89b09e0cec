// Multiplies the bytes as they are. -> wrong_answer
#include <cuda_runtime.h>

__device__ signed char quantized(int sum, float scale, int zero_point) {
    float x = fminf(fmaxf(static_cast<float>(sum) * scale, -300.0f), 300.0f);  // what an int surely holds
    return static_cast<signed char>(min(max(__float2int_rn(x) + zero_point, -128), 127));
}

__global__ void multiply(const signed char* A, const signed char* B, signed char* C, int M, int N, int K, float scale, int za,
                         int zb, int zc) {
    int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y * blockDim.y + threadIdx.y;
    if (m >= M || n >= N) return;
    int sum = 0;
    for (int k = 0; k < K; ++k) sum += A[m * K + k] * B[k * N + n];
    C[m * N + n] = quantized(sum, scale, zc);
}

extern "C" void solve(const signed char* A, const signed char* B, signed char* C, int M, int N, int K,
                      float scale_A, float scale_B, float scale_C, int zero_point_A, int zero_point_B,
                      int zero_point_C) {
    multiply<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K, scale_A * scale_B / scale_C,
                                                                   zero_point_A, zero_point_B, zero_point_C);
    cudaDeviceSynchronize();
}
