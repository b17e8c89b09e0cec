// A quad of either half per thread, one quad out: a quarter of the memory instructions, and four independent
// evaluations of erff to overlap. Sizes whose second half is not aligned go element by element.
#include <cuda_runtime.h>

__device__ float geglu(float a, float b) {
    return a * (0.5f * b) * (1.0f + erff(b * 0.70710678f));
}

__global__ void geglu4(const float* input, float* output, int quads) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < quads) {
        float4 a = reinterpret_cast<const float4*>(input)[i];
        float4 b = reinterpret_cast<const float4*>(input)[quads + i];
        reinterpret_cast<float4*>(output)[i] =
            make_float4(geglu(a.x, b.x), geglu(a.y, b.y), geglu(a.z, b.z), geglu(a.w, b.w));
    }
}

__global__ void geglu1(const float* input, float* output, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) {
        output[i] = geglu(input[i], input[half + i]);
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int half = N / 2;
    int threads = 256;
    if (half % 4 == 0) {
        int quads = half / 4;
        geglu4<<<(quads + threads - 1) / threads, threads>>>(input, output, quads);
    } else {  // the second half is then not aligned to 16 bytes
        geglu1<<<(half + threads - 1) / threads, threads>>>(input, output, half);
    }
    cudaDeviceSynchronize();
}
