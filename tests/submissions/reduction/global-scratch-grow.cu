// Scratch memory at file scope that grows. -> accepted
#include <cuda_runtime.h>
namespace {
float* g_buf = nullptr;
size_t g_cap = 0;
cudaStream_t g_stream;
bool g_init = false;
}  // namespace
__global__ void r(const float* in, float* part, int n) {
    float v = 0;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) v += in[i];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x % 32 == 0) part[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = v;
}
extern "C" void solve(const float* input, float* output, int N) {
    if (!g_init) {
        cudaStreamCreateWithFlags(&g_stream, cudaStreamNonBlocking);
        g_init = true;
    }
    size_t need = (N + 255) / 256 * 8 * sizeof(float);
    if (need > g_cap) {
        if (g_buf) cudaFree(g_buf);
        cudaMalloc(&g_buf, need);
        g_cap = need;
    }
    int blocks = (N + 255) / 256;
    r<<<blocks, 256, 0, g_stream>>>(input, g_buf, N);
    r<<<1, 32, 0, g_stream>>>(g_buf, output, blocks * 8);
    cudaStreamSynchronize(g_stream);
}
