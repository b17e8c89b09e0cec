// 0.5, 1.0 and sqrt(2.0) are doubles, so all of the expression is: erf is then a long polynomial in
// double precision. Not a bit of the result is better for it.
#include <cuda_runtime.h>

__global__ void geglu(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) {
        float a = input[i], b = input[half + i];
        output[i] = a * 0.5 * b * (1.0 + erf(b / sqrt(2.0)));
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    int threads = 256;
    geglu<<<(half + threads - 1) / threads, threads>>>(input, output, half);
    cudaDeviceSynchronize();
}
