// Searches splits that take more from A than it has. -> hazard
#include <cuda_runtime.h>

__global__ void select(const float* A, const float* B, float* output, int M, int N, int k) {
    int low = max(0, k - N), high = k;
    while (low < high) {
        int middle = (low + high) / 2;
        if (A[middle] < B[k - 1 - middle]) {
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
