// Leaves out the last element. -> wrong_answer, hazard, timed_out
#include <cuda_runtime.h>

__device__ unsigned ordered(float value) {
    unsigned bits = __float_as_uint(value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__global__ void select(const float* input, float* output, int N, int k) {
    __shared__ int bins[256];
    __shared__ unsigned winners[1024];
    __shared__ int digit, missing, taken;
    int t = threadIdx.x;
    unsigned found = 0;
    if (t == 0) missing = k, taken = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        if (t < 256) bins[t] = 0;
        __syncthreads();
        for (int i = t; i < N; i += 1024) {
            unsigned key = ordered(input[i]);
            if ((key ^ found) >> shift >> 8 == 0) atomicAdd(&bins[key >> shift & 255], 1);
        }
        __syncthreads();
        if (t == 0) {
            digit = 255;
            while (bins[digit] < missing) missing -= bins[digit--];
        }
        __syncthreads();
        found |= (unsigned)digit << shift;
    }
    for (int i = t; i < N; i += 1024) {
        if (ordered(input[i]) > found) winners[atomicAdd(&taken, 1)] = ordered(input[i]);
    }
    __syncthreads();
    if (t < missing) winners[taken + t] = found;
    __syncthreads();
    if (t < k) {
        unsigned key = winners[t];
        int place = 0;
        for (int j = 0; j < k; ++j) place += winners[j] > key || (winners[j] == key && j < t);
        output[place] = __uint_as_float(key & 0x80000000u ? key & 0x7fffffffu : ~key);
    }
}

extern "C" void solve(const float* input, float* output, int N, int k) {
    select<<<1, 1024>>>(input, output, N - 1, k);
    cudaDeviceSynchronize();
}
