// A method launches by a macro; parameters in a struct. -> accepted
#include <cuda_runtime.h>
#define LAUNCH(kernel, grid, block, ...)          \
    do {                                          \
        kernel<<<(grid), (block)>>>(__VA_ARGS__); \
    } while (0)
#define CEIL(a, b) (((a) + (b) - 1) / (b))
struct Params {
    const float* in;
    float* out;
    int n;
    float lo[2];
};
static __global__ void __launch_bounds__(128, 4) k(const Params p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.n) p.out[i] = fmaxf(p.in[i], p.lo[1]);
}
struct Runner {
    int t;
    void operator()(const Params& p) const { LAUNCH(k, dim3(CEIL(p.n, t)), dim3(t), p); }
};
extern "C" void solve(const float* input, float* output, int N) {
    Params p{input, output, N, {1.f, 0.f}};
    Runner{128}(p);
}
