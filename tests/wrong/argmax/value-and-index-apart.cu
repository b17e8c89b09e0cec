// Updates value and index in two steps, between which others come. -> hazard, wrong_answer
#include <cuda_runtime.h>

__device__ unsigned largest;

__device__ unsigned ordered(float value) {
    unsigned bits = __float_as_uint(value + 0.0f);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__global__ void find_largest(const float* input, int* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        unsigned mine = ordered(input[i]);
        if (atomicMax(&largest, mine) < mine) output[0] = i;
    }
}

extern "C" void solve(const float* input, int* output, int N) {
    unsigned zero = 0;
    cudaMemcpyToSymbol(largest, &zero, sizeof zero);
    find_largest<<<(N + 255) / 256, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
