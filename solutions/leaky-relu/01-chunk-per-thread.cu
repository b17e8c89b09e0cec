// Every thread walks over 16 neighbouring elements, as a CPU thread would.
// The 32 lanes of a warp are then 64 bytes apart at every step: one sector each, an eighth of it used at a time.
#include <cuda_runtime.h>

constexpr int CHUNK = 16;

__global__ void leaky_relu(const float* input, float* output, int N) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * CHUNK;
    for (int i = first; i < first + CHUNK && i < N; ++i) {
        float x = input[i];
        if (x > 0.0f) {
            output[i] = x;
        } else {
            output[i] = 0.01f * x;
        }
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int per_block = 256 * CHUNK;
    leaky_relu<<<(N + per_block - 1) / per_block, 256>>>(input, output, N);
    cudaDeviceSynchronize();
}
