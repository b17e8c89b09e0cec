// The float4 at the far end is misaligned unless N is a multiple of 4. -> hazard, runtime_error
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 8) {
        float4* near = reinterpret_cast<float4*>(input + 4 * i);
        float4* far = reinterpret_cast<float4*>(input + N - 4 - 4 * i);
        float4 a = *near, b = *far;
        *near = make_float4(b.w, b.z, b.y, b.x);
        *far = make_float4(a.w, a.z, a.y, a.x);
    }
    int rest = N / 8 * 4 + i;
    if (i < N / 2 - N / 8 * 4) {
        float front = input[rest];
        input[rest] = input[N - 1 - rest];
        input[N - 1 - rest] = front;
    }
}

extern "C" void solve(float* input, int N) {
    reverse<<<(N / 8 + 255) / 256 + 1, 256>>>(input, N);
    cudaDeviceSynchronize();
}
