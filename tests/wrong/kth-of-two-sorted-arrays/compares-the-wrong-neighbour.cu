// Compares with the neighbour of the right element. -> wrong_answer, hazard
#include <cuda_runtime.h>

__global__ void select(const float* A, const float* B, float* output, int M, int N, int k) {
    int low = max(0, k - N), high = min(k, M);
    while (low < high) {
        int middle = (low + high) / 2;
        if (A[middle] < B[max(k - 2 - middle, 0)]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    float a = low > 0 ? A[low - 1] : -INFINITY;
    float b = low < k ? B[k - low - 1] : -INFINITY;
    output[0] = max(a, b);
}

extern "C" void solve(const float* A, const float* B, float* output, int M, int N, int k) {
    select<<<1, 1>>>(A, B, output, M, N, k);
    cudaDeviceSynchronize();
}
