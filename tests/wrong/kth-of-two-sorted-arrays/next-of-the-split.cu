// Takes the first behind the split. -> wrong_answer, hazard
#include <cuda_runtime.h>

__global__ void select(const float* A, const float* B, float* output, int M, int N, int k) {
    int low = max(0, k - N), high = min(k, M);
    while (low < high) {
        int middle = (low + high) / 2;
        if (A[middle] < B[k - 1 - middle]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    float a = low < M ? A[low] : INFINITY;
    float b = k - low < N ? B[k - low] : INFINITY;
    output[0] = min(a, b);
}

extern "C" void solve(const float* A, const float* B, float* output, int M, int N, int k) {
    select<<<1, 1>>>(A, B, output, M, N, k);
    cudaDeviceSynchronize();
}
