// A warp per row: the sums go through shuffles, so there is no shared memory and not a single barrier.
// The row is still read three times, twice of them from the cache.
#include <cuda_runtime.h>

constexpr int THREADS = 128;
constexpr int WARPS = THREADS / 32;

__device__ float warp_sum(float value) {  // complete in every lane
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    }
    return value;
}

__global__ void normalize(const float* input, const float* weight, const float* bias, float* output, int N, int C,
                          float eps) {
    int row = blockIdx.x * WARPS + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= N) {
        return;  // the whole warp
    }
    const float* x = input + (size_t)row * C;
    float* y = output + (size_t)row * C;
    float sum = 0.0f;
    for (int c = lane; c < C; c += 32) {
        sum += x[c];
    }
    float mean = warp_sum(sum) / C;
    float squares = 0.0f;
    for (int c = lane; c < C; c += 32) {
        squares += (x[c] - mean) * (x[c] - mean);
    }
    float scale = 1.0f / sqrtf(warp_sum(squares) / C + eps);
    for (int c = lane; c < C; c += 32) {
        y[c] = (x[c] - mean) * scale * weight[c] + bias[c];
    }
}

extern "C" void solve(const float* input, const float* weight, const float* bias, float* output, int N, int C,
                      float eps) {
    normalize<<<(N + WARPS - 1) / WARPS, THREADS>>>(input, weight, bias, output, N, C, eps);
    cudaDeviceSynchronize();
}
