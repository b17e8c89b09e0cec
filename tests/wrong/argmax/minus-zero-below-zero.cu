// Packs the bits of -0 below those of 0, although the two are equal. -> wrong_answer
#include <cuda_runtime.h>

__global__ void find_largest(const float* input, unsigned long long* best, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        unsigned bits = __float_as_uint(input[i]);
        bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
        atomicMax(best, (unsigned long long)bits << 32 | ~(unsigned)i);
    }
}

__global__ void unpack(const unsigned long long* best, int* output) { output[0] = (int)~(unsigned)*best; }

extern "C" void solve(const float* input, int* output, int N) {
    unsigned long long* best;
    cudaMalloc(&best, sizeof *best);
    cudaMemset(best, 0, sizeof *best);
    find_largest<<<(N + 255) / 256, 256>>>(input, best, N);
    unpack<<<1, 1>>>(best, output);
    cudaFree(best);
    cudaDeviceSynchronize();
}
