// As two library calls would do it: one kernel adds x and residual into `out`, another normalizes `out` in place.
// The second reads its row twice: 28 bytes of accesses per element where 12 would do.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void add(const float* x, const float* residual, float* h, int count) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < count) {
        h[i] = x[i] + residual[i];
    }
}

__global__ void normalize(float* h, const float* weight, int C, float eps) {
    __shared__ float tree[THREADS];
    float* row = h + (size_t)blockIdx.x * C;
    int tid = threadIdx.x;
    float squares = 0.0f;
    for (int c = tid; c < C; c += THREADS) {
        squares += row[c] * row[c];
    }
    tree[tid] = squares;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) {
            tree[tid] += tree[tid + s];
        }
        __syncthreads();
    }
    for (int c = tid; c < C; c += THREADS) {
        row[c] = row[c] / sqrtf(tree[0] / C + eps) * weight[c];
    }
}

extern "C" void solve(const float* x, const float* residual, const float* weight, float* out, int N, int C,
                      float eps) {
    int count = N * C;
    add<<<(count + THREADS - 1) / THREADS, THREADS>>>(x, residual, out, count);
    normalize<<<N, THREADS>>>(out, weight, C, eps);
    cudaDeviceSynchronize();
}
