// A warp for each row; mean and variance in one pass by Welford's method, merged by shuffles.
#include <cuda_runtime.h>

__global__ void normalize(const float* input, const float* weight, const float* bias, float* output, int N,
                          int C, float eps) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= N) return;
    const float* x = input + (size_t)row * C;
    float mean = 0.0f, m2 = 0.0f, count = 0.0f;
    for (int c = lane; c < C; c += 32) {
        count += 1.0f;
        float delta = x[c] - mean;
        mean += delta / count;
        m2 += delta * (x[c] - mean);
    }
    for (int d = 16; d > 0; d /= 2) {
        float other_mean = __shfl_xor_sync(0xffffffff, mean, d);
        float other_m2 = __shfl_xor_sync(0xffffffff, m2, d);
        float other_count = __shfl_xor_sync(0xffffffff, count, d);
        float both = count + other_count;
        if (both > 0.0f) {
            float delta = other_mean - mean;
            m2 += other_m2 + delta * delta * count * other_count / both;
            mean = (count * mean + other_count * other_mean) / both;
        }
        count = both;
    }
    float scale = rsqrtf(m2 / C + eps);
    for (int c = lane; c < C; c += 32) output[(size_t)row * C + c] = (x[c] - mean) * scale * weight[c] + bias[c];
}

extern "C" void solve(const float* input, const float* weight, const float* bias, float* output, int N,
                      int C, float eps) {
    normalize<<<(N + 3) / 4, 128>>>(input, weight, bias, output, N, C, eps);
    cudaDeviceSynchronize();
}
