// Splits the vector the way a CPU would: every thread owns 32 consecutive elements.
// Neighbouring lanes are then 128 bytes apart, so one warp load touches 32 sectors to use 128 bytes.
#include <cuda_runtime.h>

constexpr int CHUNK = 32;

__global__ void add_chunks(const float* A, const float* B, float* C, int N) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * CHUNK;
    for (int k = 0; k < CHUNK; ++k) {
        int i = first + k;
        if (i < N) {
            C[i] = A[i] + B[i];
        }
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
    int threads = 256;
    int per_block = threads * CHUNK;
    add_chunks<<<(N + per_block - 1) / per_block, threads>>>(A, B, C, N);
    cudaDeviceSynchronize();
}
