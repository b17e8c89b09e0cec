// Neighbouring lanes on neighbouring columns. Four loads per cell go out, but three of the four find their
// data in the first-level cache, because neighbouring cells of the same block have just read it.
#include <cuda_runtime.h>

__global__ void step(const float* input, float* output, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols) {
        return;
    }
    const float* cell = input + (size_t)r * cols + c;
    bool is_border = r == 0 || r == rows - 1 || c == 0 || c == cols - 1;
    output[(size_t)r * cols + c] = is_border ? *cell : (cell[-cols] + cell[cols] + cell[-1] + cell[1]) / 4;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    dim3 block(32, 8);
    dim3 grid((cols + 31) / 32, (rows + 7) / 8);
    step<<<grid, block>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
