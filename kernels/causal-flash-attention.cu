#include <cuda_bf16.h>
#include <cuda_runtime.h>

__global__ void attend(const __nv_bfloat16* Q, const __nv_bfloat16* K, const __nv_bfloat16* V,
                       __nv_bfloat16* output, int N) {
    // Query blockIdx.x of head blockIdx.y: scores with keys 0 ... blockIdx.x, their softmax, the output.
}

// Q, K, V and output (B x H x N x 128) are device pointers.
extern "C" void solve(const __nv_bfloat16* Q, const __nv_bfloat16* K, const __nv_bfloat16* V,
                      __nv_bfloat16* output, int B, int H, int N) {
    attend<<<dim3(N, B * H), 128>>>(Q, K, V, output, N);
    cudaDeviceSynchronize();
}
