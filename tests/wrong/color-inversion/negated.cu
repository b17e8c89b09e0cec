// Negates instead: 256 - x. -> wrong_answer
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        for (int c = 0; c < 3; ++c) image[4 * i + c] = -image[4 * i + c];
    }
}

extern "C" void solve(unsigned char* image, int width, int height) {
    invert<<<(width * height + 255) / 256, 256>>>(image, width * height);
    cudaDeviceSynchronize();
}
