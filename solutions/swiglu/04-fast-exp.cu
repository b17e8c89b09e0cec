// __expf and __fdividef instead of expf and /: two special-function instructions in the place of two programs.
// The accesses are those of the rung before.
#include <cuda_runtime.h>

__device__ float swiglu(float a, float b) {
    return __fdividef(a, 1.0f + __expf(-a)) * b;
}

__global__ void swiglu4(const float* input, float* output, int quads) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < quads) {
        float4 a = reinterpret_cast<const float4*>(input)[i];
        float4 b = reinterpret_cast<const float4*>(input)[quads + i];
        reinterpret_cast<float4*>(output)[i] =
            make_float4(swiglu(a.x, b.x), swiglu(a.y, b.y), swiglu(a.z, b.z), swiglu(a.w, b.w));
    }
}

__global__ void swiglu1(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) {
        output[i] = swiglu(input[i], input[half + i]);
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    int threads = 256;
    if (half % 4 == 0) {
        int quads = half / 4;
        swiglu4<<<(quads + threads - 1) / threads, threads>>>(input, output, quads);
    } else {  // the second half is then not aligned to 16 bytes
        swiglu1<<<(half + threads - 1) / threads, threads>>>(input, output, half);
    }
    cudaDeviceSynchronize();
}
