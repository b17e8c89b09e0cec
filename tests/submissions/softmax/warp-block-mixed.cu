// A block reduction with its operation as a template parameter. -> accepted
#include <cuda_runtime.h>
#define WARP_SIZE 32
#define FLT_LOWEST -3.402823466e+38F
template <typename T, T (*op)(T, T)>
__device__ T warpReduce(T v) {
    for (int o = WARP_SIZE / 2; o; o >>= 1) v = op(v, __shfl_xor_sync(0xFFFFFFFF, v, o));
    return v;
}
__device__ float fadd(float a, float b) { return a + b; }
__device__ float fmx(float a, float b) { return a > b ? a : b; }
template <float (*op)(float, float)>
__device__ float blockReduce(float v, float id) {
    static __shared__ float sh[32];
    __shared__ float res;
    int l = threadIdx.x % 32, w = threadIdx.x / 32;
    v = warpReduce<float, op>(v);
    if (!l) sh[w] = v;
    __syncthreads();
    if (!w) {
        v = l < (blockDim.x + 31) / 32 ? sh[l] : id;
        v = warpReduce<float, op>(v);
        if (!l) res = v;
    }
    __syncthreads();
    float r = res;
    __syncthreads();
    return r;
}
__global__ void k(const float* x, float* y, int n) {
    float m = FLT_LOWEST;
    for (int i = threadIdx.x; i < n; i += blockDim.x) m = fmx(m, x[i]);
    m = blockReduce<fmx>(m, FLT_LOWEST);
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float e = expf(x[i] - m);
        y[i] = e;
        s += e;
    }
    s = blockReduce<fadd>(s, 0.f);
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = __fdiv_rn(y[i], s);
}
extern "C" void solve(const float* input, float* output, int N) { k<<<1, 1024>>>(input, output, N); }
