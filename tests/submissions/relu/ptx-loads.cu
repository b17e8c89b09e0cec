// Loads and stores with cache hints. -> accepted
#include <cuda_runtime.h>
__global__ void k(const float* in, float* out, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i + 3 < n) {
        float4 v;
        asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0,%1,%2,%3}, [%4];"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(in + i));
        asm volatile("max.f32 %0, %0, 0f00000000;" : "+f"(v.x));
        v.y = fmaxf(v.y, 0.f);
        v.z = fmaxf(v.z, 0.f);
        v.w = fmaxf(v.w, 0.f);
        asm volatile("st.global.L1::no_allocate.v4.f32 [%0], {%1,%2,%3,%4};" ::"l"(out + i), "f"(v.x),
                     "f"(v.y), "f"(v.z), "f"(v.w)
                     : "memory");
    } else
        for (; i < n; ++i) out[i] = fmaxf(in[i], 0.f);
}
extern "C" void solve(const float* input, float* output, int N) {
    int q = (N + 3) / 4;
    k<<<(q + 127) / 128, 128>>>(input, output, N);
}
