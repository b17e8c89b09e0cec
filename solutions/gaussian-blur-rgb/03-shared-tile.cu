// Both passes in one kernel: a tile with a border of two pixels goes to shared memory, vertical sums replace it
// there, and horizontal sums leave. The image is read and written once.
#include <cuda_runtime.h>

constexpr int WIDTH = 64, HEIGHT = 32;           // pixels per block
constexpr int PITCH = (WIDTH + 4) * 3;           // bytes of a tile row
constexpr int OUTPUT = WIDTH * 3;
constexpr int THREADS = 256;

__global__ void __launch_bounds__(THREADS) blur(const unsigned char* __restrict__ image,
                                                unsigned char* __restrict__ output, int width, int height) {
    __shared__ unsigned char tile[HEIGHT + 4][PITCH];
    __shared__ unsigned short sums[HEIGHT][PITCH];
    int left = blockIdx.x * WIDTH - 2, top = blockIdx.y * HEIGHT - 2;
    for (int k = threadIdx.x; k < (HEIGHT + 4) * PITCH; k += THREADS) {
        int i = k / PITCH, b = k % PITCH;
        int y = min(max(top + i, 0), height - 1), x = min(max(left + b / 3, 0), width - 1);
        tile[i][b] = image[((size_t)y * width + x) * 3 + b % 3];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < HEIGHT * PITCH; k += THREADS) {
        int i = k / PITCH, b = k % PITCH;
        int near = tile[i + 1][b] + tile[i + 3][b], far = tile[i][b] + tile[i + 4][b];
        sums[i][b] = far + 4 * near + 6 * tile[i + 2][b];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < HEIGHT * OUTPUT; k += THREADS) {
        int i = k / OUTPUT, b = k % OUTPUT;
        int y = top + 2 + i, column = blockIdx.x * OUTPUT + b;
        if (y < height && column < 3 * width) {
            const unsigned short* s = &sums[i][b];
            int sum = s[0] + s[12] + 4 * (s[3] + s[9]) + 6 * s[6];
            output[(size_t)y * width * 3 + column] = (sum + 128) / 256;
        }
    }
}

extern "C" void solve(const unsigned char* image, unsigned char* output, int width, int height) {
    dim3 grid((width + WIDTH - 1) / WIDTH, (height + HEIGHT - 1) / HEIGHT);
    blur<<<grid, THREADS>>>(image, output, width, height);
    cudaDeviceSynchronize();
}
