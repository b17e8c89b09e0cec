// Guards by architecture, a virtual function, specialised templates. -> accepted
#pragma once
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#ifdef __CUDACC__
#define DEV __device__ __forceinline__
#else
#define DEV
#endif
namespace app {
namespace detail {
template <typename T>
DEV T relu(T x) {
    return x > T(0) ? x : T(0);
}
template <>
DEV double relu<double>(double x) {
    return x > 0 ? x : 0;
}
}  // namespace detail
}  // namespace app
class Op {
  public:
    DEV virtual float run(float x) const = 0;
};
class R : public Op {
  public:
    DEV float run(float x) const override { return app::detail::relu(x); }
};
__device__ float apply(const Op& o, float x) { return o.run(x); }
__global__ void k(const float* in, float* out, int n) {
#if __CUDA_ARCH__ >= 700
    R r;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = apply(r, in[i]);
#endif
}
extern "C" void solve(const float* input, float* output, int N) {
    const dim3 block(256), grid((N + block.x - 1) / block.x);
    k<<<grid, block>>>(input, output, N);
    cudaError_t e = cudaDeviceSynchronize();
    (void)e;
}
