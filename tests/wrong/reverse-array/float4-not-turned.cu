// float4s change places but keep their order inside. -> wrong_answer, hazard
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int quads = N / 4;
    int j = quads - 1 - i;
    float4* input4 = reinterpret_cast<float4*>(input);
    if (N % 4 == 0) {
        if (i < j) {
            float4 front = input4[i];
            input4[i] = input4[j];
            input4[j] = front;
        }
    } else if (i < N / 2) {
        float front = input[i];
        input[i] = input[N - 1 - i];
        input[N - 1 - i] = front;
    }
}

extern "C" void solve(float* input, int N) {
    reverse<<<(N / 2 + 255) / 256 + 1, 256>>>(input, N);
    cudaDeviceSynchronize();
}
