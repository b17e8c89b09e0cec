// Pixels beyond the last whole group of four are left as they were. -> wrong_answer
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels / 4) {
        uint4* group = reinterpret_cast<uint4*>(image) + i;
        uint4 p = *group;
        *group = make_uint4(p.x ^ 0xFFFFFFu, p.y ^ 0xFFFFFFu, p.z ^ 0xFFFFFFu, p.w ^ 0xFFFFFFu);
    }
}

extern "C" void solve(unsigned char* image, int width, int height) {
    invert<<<(width * height + 255) / 256, 256>>>(image, width * height);
    cudaDeviceSynchronize();
}
