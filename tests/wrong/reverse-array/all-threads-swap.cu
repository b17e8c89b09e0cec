// N threads swap, so every pair is swapped by two threads at once. -> hazard, wrong_answer
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float front = input[i];
        input[i] = input[N - 1 - i];
        input[N - 1 - i] = front;
    }
}

extern "C" void solve(float* input, int N) {
    reverse<<<(N + 255) / 256, 256>>>(input, N);
    cudaDeviceSynchronize();
}
