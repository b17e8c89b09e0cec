// Rounds to bfloat16 on the way. -> wrong_answer
#include <cuda_bf16.h>
__global__ void k(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        __nv_bfloat16 v = __float2bfloat16(in[i]);
        out[i] = __bfloat162float(__hmax(v, __float2bfloat16(0.f)));
    }
}
extern "C" void solve(const float* input, float* output, int N) {
    k<<<(N + 255) / 256, 256>>>(input, output, N);
}
