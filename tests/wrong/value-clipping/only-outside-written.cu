// Values inside the range are not written. -> wrong_answer, hazard
#include <cuda_runtime.h>

__global__ void clip(const float* input, float* output, float lo, float hi, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N && input[i] < lo) output[i] = lo;
    if (i < N && input[i] > hi) output[i] = hi;
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
    clip<<<(N + 255) / 256, 256>>>(input, output, lo, hi, N);
    cudaDeviceSynchronize();
}
