// Four elements per thread through one 128-bit load and one 128-bit store.
// lo and hi come from the parameter bank: an operand of the instruction, no load.
#include <cuda_runtime.h>

__device__ float limited(float x, float lo, float hi) {
    return fminf(fmaxf(x, lo), hi);
}

__global__ void clip(const float* input, float* output, float lo, float hi, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int quads = N / 4;
    if (i < quads) {
        float4 x = reinterpret_cast<const float4*>(input)[i];
        reinterpret_cast<float4*>(output)[i] = make_float4(limited(x.x, lo, hi), limited(x.y, lo, hi),
                                                           limited(x.z, lo, hi), limited(x.w, lo, hi));
    } else if (i == quads) {  // the one to three elements left over
        for (int k = quads * 4; k < N; ++k) {
            output[k] = limited(input[k], lo, hi);
        }
    }
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
    int threads = 256;
    int work = N / 4 + 1;  // quads, and one thread for the tail
    clip<<<(work + threads - 1) / threads, threads>>>(input, output, lo, hi, N);
    cudaDeviceSynchronize();
}
