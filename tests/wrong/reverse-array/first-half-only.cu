// Only the first half is written. -> wrong_answer
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 2) input[i] = input[N - 1 - i];
}

extern "C" void solve(float* input, int N) {
    reverse<<<(N / 2 + 255) / 256 + 1, 256>>>(input, N);
    cudaDeviceSynchronize();
}
