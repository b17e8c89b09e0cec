#include <cuda_bf16.h>
#include <cuda_runtime.h>

__global__ void attend(const __nv_bfloat16* Q, const __nv_bfloat16* K, const __nv_bfloat16* V,
                       __nv_bfloat16* output, int G, int N) {
    // Query blockIdx.x of the group of head blockIdx.y: N scores, their softmax, 128 outputs.
}

// Q and output (B x H x G x 128), K and V (B x H x N x 128) are device pointers.
extern "C" void solve(const __nv_bfloat16* Q, const __nv_bfloat16* K, const __nv_bfloat16* V,
                      __nv_bfloat16* output, int B, int H, int G, int N) {
    attend<<<dim3(G, B * H), 128>>>(Q, K, V, output, G, N);
    cudaDeviceSynchronize();
}
