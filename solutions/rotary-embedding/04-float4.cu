// Four neighbouring pairs per thread: six 128-bit loads and two 128-bit stores, 96 bytes in flight per thread.
// Both halves of a row are aligned if D is a multiple of 8, as it is in models; other D take the scalar kernel.
#include <cuda_runtime.h>

__device__ float4 turned(float4 a, float4 c, float4 b, float4 s, float sign) {
    return make_float4(a.x * c.x + sign * b.x * s.x, a.y * c.y + sign * b.y * s.y,
                       a.z * c.z + sign * b.z * s.z, a.w * c.w + sign * b.w * s.w);
}

__global__ void rotate_quads(const float4* __restrict__ Q, const float4* __restrict__ cos,
                             const float4* __restrict__ sin, float4* __restrict__ output, unsigned quads,
                             unsigned half) {
    unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < quads) {
        unsigned i = p + p / half * half, j = i + half;
        float4 a = Q[i], b = Q[j];
        float4 ci = cos[i], cj = cos[j], si = sin[i], sj = sin[j];
        output[i] = turned(a, ci, b, si, -1.0f);
        output[j] = turned(b, cj, a, sj, 1.0f);
    }
}

// Turns pair p of all M * D / 2: number d of row m with number d + D / 2.
__global__ void rotate_scalars(const float* Q, const float* cos, const float* sin, float* output, size_t pairs,
                               int half) {
    size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (p < pairs) {
        size_t i = p + p / half * half, j = i + half;
        float a = Q[i], b = Q[j];
        output[i] = a * cos[i] - b * sin[i];
        output[j] = b * cos[j] + a * sin[j];
    }
}

extern "C" void solve(const float* Q, const float* cos, const float* sin, float* output, int M, int D) {
    size_t pairs = (size_t)M * D / 2;
    int threads = 256;
    if (D % 8 == 0) {
        unsigned quads = (unsigned)(pairs / 4);
        rotate_quads<<<(quads + threads - 1) / threads, threads>>>(
            reinterpret_cast<const float4*>(Q), reinterpret_cast<const float4*>(cos),
            reinterpret_cast<const float4*>(sin), reinterpret_cast<float4*>(output), quads, D / 8);
    } else {
        rotate_scalars<<<(unsigned)((pairs + threads - 1) / threads), threads>>>(Q, cos, sin, output, pairs, D / 2);
    }
    cudaDeviceSynchronize();
}
