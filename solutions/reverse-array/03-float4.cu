// Two float4 per thread, one from either end, each turned around in registers on its way across.
// A quarter of the memory instructions for the same bytes, and 32 bytes in flight per thread.
#include <cuda_runtime.h>

__device__ float4 turned(float4 v) {
    return make_float4(v.w, v.z, v.y, v.x);
}

__global__ void reverse_quads(float4* input, int quads) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = quads - 1 - i;
    if (i < j) {
        float4 front = input[i];
        float4 back = input[j];
        input[i] = turned(back);
        input[j] = turned(front);
    } else if (i == j) {  // an odd number of quads: the one in the middle turns in registers
        input[i] = turned(input[i]);
    }
}

__global__ void reverse_scalars(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 2) {
        float front = input[i];
        input[i] = input[N - 1 - i];
        input[N - 1 - i] = front;
    }
}

extern "C" void solve(float* input, int N) {
    int threads = 256;
    if (N % 4 == 0) {
        int quads = N / 4;
        int pairs = (quads + 1) / 2;
        reverse_quads<<<(pairs + threads - 1) / threads, threads>>>(reinterpret_cast<float4*>(input), quads);
    } else {  // the far end of such a vector is not aligned to 16 bytes
        reverse_scalars<<<(N / 2 + threads) / threads, threads>>>(input, N);
    }
    cudaDeviceSynchronize();
}
