// Reads and writes of different threads race: element i may be read after it was overwritten. -> hazard, wrong_answer
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) input[i] = input[N - 1 - i];
}

extern "C" void solve(float* input, int N) {
    reverse<<<(N + 255) / 256, 256>>>(input, N);
    cudaDeviceSynchronize();
}
