// Takes neighbouring bytes for neighbouring pixels. -> wrong_answer
#include <cuda_runtime.h>

__global__ void blur(const unsigned char* image, unsigned char* output, int width, int height) {
    const int weights[5] = {1, 4, 6, 4, 1};
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    for (int c = 0; c < 3; ++c) {
        int sum = 128;
        for (int i = -2; i <= 2; ++i) {
            for (int j = -2; j <= 2; ++j) {
                int r = min(max(y + i, 0), height - 1), b = min(max(3 * x + c + j, 0), 3 * width - 1);
                sum += weights[i + 2] * weights[j + 2] * image[r * width * 3 + b];
            }
        }
        output[(y * width + x) * 3 + c] = sum / 256;
    }
}

extern "C" void solve(const unsigned char* image, unsigned char* output, int width, int height) {
    dim3 block(32, 8);
    dim3 grid((width + 31) / 32, (height + 7) / 8);
    blur<<<grid, block>>>(image, output, width, height);
    cudaDeviceSynchronize();
}
