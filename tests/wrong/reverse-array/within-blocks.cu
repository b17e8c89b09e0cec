// Each block reverses its own 256 elements. -> wrong_answer
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = blockIdx.x * 256;
    int last = min(first + 255, N - 1);
    int j = first + last - i;
    if (i < j) {
        float front = input[i];
        input[i] = input[j];
        input[j] = front;
    }
}

extern "C" void solve(float* input, int N) {
    reverse<<<(N + 255) / 256, 256>>>(input, N);
    cudaDeviceSynchronize();
}
