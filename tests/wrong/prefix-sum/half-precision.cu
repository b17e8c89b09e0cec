// Keeps running sums in half precision. -> wrong_answer
#include <cuda_runtime.h>

#include <cuda_fp16.h>

__global__ void scan(const float* input, float* output, int N) {
    __half sum = __float2half(0.0f);
    for (int i = 0; i < N; ++i) {
        sum = __hadd(sum, __float2half(input[i]));
        output[i] = __half2float(sum);
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    scan<<<1, 1>>>(input, output, N);
    cudaDeviceSynchronize();
}
