// Counts pixels where it indexes bytes: only the first quarter is inverted. -> wrong_answer
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels && i % 4 != 3) image[i] = 255 - image[i];
}

extern "C" void solve(unsigned char* image, int width, int height) {
    invert<<<(width * height + 255) / 256, 256>>>(image, width * height);
    cudaDeviceSynchronize();
}
