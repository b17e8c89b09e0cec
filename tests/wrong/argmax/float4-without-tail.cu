// Leaves out the elements behind the last whole float4. -> wrong_answer
#include <cuda_runtime.h>

__global__ void find_largest(const float4* input, unsigned long long* best, int quads) {
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q < quads) {
        float4 v = input[q];
        float x[4] = {v.x, v.y, v.z, v.w};
        for (int k = 0; k < 4; ++k) {
            unsigned bits = __float_as_uint(x[k] + 0.0f);
            bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
            atomicMax(best, (unsigned long long)bits << 32 | ~(unsigned)(4 * q + k));
        }
    }
}

__global__ void unpack(const unsigned long long* best, int* output) { output[0] = (int)~(unsigned)*best; }

extern "C" void solve(const float* input, int* output, int N) {
    unsigned long long* best;
    cudaMalloc(&best, sizeof *best);
    cudaMemset(best, 0, sizeof *best);
    find_largest<<<N / 4 / 256 + 1, 256>>>(reinterpret_cast<const float4*>(input), best, N / 4);
    unpack<<<1, 1>>>(best, output);
    cudaFree(best);
    cudaDeviceSynchronize();
}
