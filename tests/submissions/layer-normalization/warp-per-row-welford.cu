// A warp for each row merges running means. -> accepted
#include <cuda_runtime.h>
__global__ void ln(const float* x, const float* w, const float* b, float* y, int N, int C, float eps) {
    int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= N) return;
    float mean = 0, m2 = 0, n = 0;
    for (int i = lane; i < C; i += 32) {
        float v = x[row * C + i];
        n += 1;
        float d = v - mean;
        mean += d / n;
        m2 += d * (v - mean);
    }
    for (int o = 16; o > 0; o >>= 1) {
        float om = __shfl_xor_sync(0xffffffffu, mean, o), o2 = __shfl_xor_sync(0xffffffffu, m2, o),
              on = __shfl_xor_sync(0xffffffffu, n, o);
        float t = n + on, d = om - mean;
        if (t > 0) {
            mean = (n * mean + on * om) / t;
            m2 += o2 + d * d * n * on / t;
            n = t;
        }
    }
    float r = 1.0f / sqrtf(m2 / C + eps);
    for (int i = lane; i < C; i += 32) y[row * C + i] = (x[row * C + i] - mean) * r * w[i] + b[i];
}
extern "C" void solve(const float* input, const float* weight, const float* bias, float* output, int N, int C,
                      float eps) {
    ln<<<(N + 3) / 4, dim3(32, 4)>>>(input, weight, bias, output, N, C, eps);
    cudaDeviceSynchronize();
}
