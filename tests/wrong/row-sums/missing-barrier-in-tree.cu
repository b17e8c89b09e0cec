// Does not wait between the steps of the tree. -> hazard
#include <cuda_runtime.h>

__global__ void sum_rows(const float* input, float* output, int rows, int cols) {
    __shared__ float sums[256];
    int r = blockIdx.x, t = threadIdx.x;
    float sum = 0.0f;
    for (int c = t; c < cols; c += 256) sum += input[(size_t)r * cols + c];
    sums[t] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s) sums[t] += sums[t + s];
    }
    if (t == 0) output[r] = sums[0];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    sum_rows<<<rows, 256>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
