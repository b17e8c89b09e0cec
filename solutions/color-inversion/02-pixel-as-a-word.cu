// A pixel is one 32-bit word, and 255 - x flips all bits of a byte: one load, one XOR, one store.
// Alpha is written back as it was, which costs nothing: its sector is written anyway.
#include <cuda_runtime.h>

__global__ void invert(unsigned int* image, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        image[i] ^= 0x00FFFFFFu;  // red is the lowest byte, alpha the highest
    }
}

extern "C" void solve(unsigned char* image, int width, int height) {
    int pixels = width * height;
    int threads = 256;
    invert<<<(pixels + threads - 1) / threads, threads>>>(reinterpret_cast<unsigned int*>(image), pixels);
    cudaDeviceSynchronize();
}
