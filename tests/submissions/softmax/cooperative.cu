// One cooperative grid that meets twice. -> accepted
#include <cuda_runtime.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const float* x, float* y, float* part, int n) {
    cg::grid_group grid = cg::this_grid();
    __shared__ float s[256];
    int t = threadIdx.x, g = blockIdx.x * 256 + t;
    float m = -INFINITY;
    for (int i = g; i < n; i += gridDim.x * 256) m = fmaxf(m, x[i]);
    s[t] = m;
    __syncthreads();
    for (int o = 128; o; o >>= 1) {
        if (t < o) s[t] = fmaxf(s[t], s[t + o]);
        __syncthreads();
    }
    if (!t) part[blockIdx.x] = s[0];
    grid.sync();
    m = -INFINITY;
    for (int b = 0; b < gridDim.x; ++b) m = fmaxf(m, part[b]);
    float z = 0;
    for (int i = g; i < n; i += gridDim.x * 256) z += expf(x[i] - m);
    __syncthreads();
    s[t] = z;
    __syncthreads();
    for (int o = 128; o; o >>= 1) {
        if (t < o) s[t] += s[t + o];
        __syncthreads();
    }
    if (!t) part[gridDim.x + blockIdx.x] = s[0];
    grid.sync();
    z = 0;
    for (int b = 0; b < gridDim.x; ++b) z += part[gridDim.x + b];
    for (int i = g; i < n; i += gridDim.x * 256) y[i] = expf(x[i] - m) / z;
}
extern "C" void solve(const float* input, float* output, int N) {
    int blocks = 8;
    float* part;
    cudaMalloc(&part, 2 * blocks * sizeof(float));
    void* args[] = {&input, &output, &part, &N};
    cudaLaunchCooperativeKernel((void*)k, dim3(blocks), dim3(256), args, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(part);
}
