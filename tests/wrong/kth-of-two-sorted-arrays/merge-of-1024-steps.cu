// Merges, but gives up after 1024 steps. -> wrong_answer
#include <cuda_runtime.h>

__global__ void select(const float* A, const float* B, float* output, int M, int N, int k) {
    int i = 0, j = 0;
    float last = 0;
    for (int s = 0; s < min(k, 1024); ++s) {
        bool from_a = j == N || (i < M && A[i] <= B[j]);
        last = from_a ? A[i++] : B[j++];
    }
    output[0] = last;
}

extern "C" void solve(const float* A, const float* B, float* output, int M, int N, int k) {
    select<<<1, 1>>>(A, B, output, M, N, k);
    cudaDeviceSynchronize();
}
