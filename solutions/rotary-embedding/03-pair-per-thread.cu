// One thread per pair: it has both numbers anyway, so it computes both results. Nothing is read twice.
// Six loads are independent of each other and in flight at the same time.
#include <cuda_runtime.h>

// Turns pair p of all M * D / 2: number d of row m with number d + D / 2.
__global__ void rotate(const float* Q, const float* cos, const float* sin, float* output, size_t pairs,
                       int half) {
    size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (p < pairs) {
        size_t i = p + p / half * half, j = i + half;
        float a = Q[i], b = Q[j];
        output[i] = a * cos[i] - b * sin[i];
        output[j] = b * cos[j] + a * sin[j];
    }
}

extern "C" void solve(const float* Q, const float* cos, const float* sin, float* output, int M, int D) {
    size_t pairs = (size_t)M * D / 2;
    int threads = 256;
    rotate<<<(unsigned)((pairs + threads - 1) / threads), threads>>>(Q, cos, sin, output, pairs, D / 2);
    cudaDeviceSynchronize();
}
