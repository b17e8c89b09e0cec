// Takes alpha for the lowest byte. -> wrong_answer
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) reinterpret_cast<unsigned int*>(image)[i] ^= 0xFFFFFF00u;
}

extern "C" void solve(unsigned char* image, int width, int height) {
    invert<<<(width * height + 255) / 256, 256>>>(image, width * height);
    cudaDeviceSynchronize();
}
