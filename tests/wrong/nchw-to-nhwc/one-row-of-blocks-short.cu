// Rounds the grid down. -> wrong_answer, runtime_error
#include <cuda_runtime.h>

__global__ void to_channels_last(const float* input, float* output, int N, int C, int H, int W) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int w = i % W, h = i / W % H, c = i / W / H % C, n = i / W / H / C;
    if (n < N) output[((n * H + h) * W + w) * C + c] = input[i];
}

extern "C" void solve(const float* input, float* output, int N, int C, int H, int W) {
    if (N * C * H * W >= 256) to_channels_last<<<N * C * H * W / 256, 256>>>(input, output, N, C, H, W);
    cudaDeviceSynchronize();
}
