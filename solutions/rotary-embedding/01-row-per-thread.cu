// One thread turns a whole row: an easy loop, and the lanes of a warp are D floats apart all the time.
// Every load and store takes a sector per lane for 4 bytes; what L1 cannot keep is read again.
#include <cuda_runtime.h>

__global__ void rotate(const float* Q, const float* cos, const float* sin, float* output, int M, int D) {
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m < M) {
        size_t row = (size_t)m * D;
        for (int d = 0; d < D / 2; ++d) {
            size_t i = row + d, j = i + D / 2;
            float a = Q[i], b = Q[j];
            output[i] = a * cos[i] - b * sin[i];
            output[j] = b * cos[j] + a * sin[j];
        }
    }
}

extern "C" void solve(const float* Q, const float* cos, const float* sin, float* output, int M, int D) {
    int threads = 64;
    rotate<<<(M + threads - 1) / threads, threads>>>(Q, cos, sin, output, M, D);
    cudaDeviceSynchronize();
}
