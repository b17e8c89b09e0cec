// The last block writes beyond the image. -> hazard, rejected, runtime_error
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    reinterpret_cast<unsigned int*>(image)[i] ^= 0x00FFFFFFu;
}

extern "C" void solve(unsigned char* image, int width, int height) {
    invert<<<(width * height + 255) / 256, 256>>>(image, width * height);
    cudaDeviceSynchronize();
}
