#include <cuda_runtime.h>

__global__ void attend(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    // This block's query is blockIdx.x: N scores, their softmax, then d outputs.
}

// Q and output (M x d), K and V (N x d) are device pointers.
extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    attend<<<M, 128>>>(Q, K, V, output, M, N, d);
    cudaDeviceSynchronize();
}
