// Pairs i with N - i. -> hazard, wrong_answer, rejected, runtime_error
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 2) {
        float front = input[i];
        input[i] = input[N - i];
        input[N - i] = front;
    }
}

extern "C" void solve(float* input, int N) {
    reverse<<<(N / 2 + 255) / 256 + 1, 256>>>(input, N);
    cudaDeviceSynchronize();
}
