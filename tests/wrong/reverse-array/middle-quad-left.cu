// With an odd number of float4s the one in the middle stays as it is. -> wrong_answer
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (N % 4 == 0) {
        float4* input4 = reinterpret_cast<float4*>(input);
        int j = N / 4 - 1 - i;
        if (i < j) {
            float4 a = input4[i], b = input4[j];
            input4[i] = make_float4(b.w, b.z, b.y, b.x);
            input4[j] = make_float4(a.w, a.z, a.y, a.x);
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
