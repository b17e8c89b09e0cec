// The weights move to constant memory: all lanes of a warp use the same one at the same time, which is
// what the constant cache broadcasts. Half of the loads disappear from the load/store units.
#include <cuda_runtime.h>

constexpr int MAX_KERNEL = 21 * 21;

__constant__ float weights[MAX_KERNEL];

__global__ void blur(const float* input, float* output, int rows, int cols, int kernel_rows, int kernel_cols) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || col >= cols) {
        return;
    }
    float sum = 0.0f;
    for (int i = 0; i < kernel_rows; ++i) {
        int r = row + i - kernel_rows / 2;
        if (r < 0 || r >= rows) {
            continue;
        }
        for (int j = 0; j < kernel_cols; ++j) {
            int c = col + j - kernel_cols / 2;
            if (c >= 0 && c < cols) {
                sum += input[r * cols + c] * weights[i * kernel_cols + j];
            }
        }
    }
    output[row * cols + col] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    size_t bytes = kernel_rows * kernel_cols * sizeof(float);
    cudaMemcpyToSymbol(weights, kernel, bytes, 0, cudaMemcpyDeviceToDevice);
    dim3 block(32, 8);
    dim3 grid((input_cols + block.x - 1) / block.x, (input_rows + block.y - 1) / block.y);
    blur<<<grid, block>>>(input, output, input_rows, input_cols, kernel_rows, kernel_cols);
    cudaDeviceSynchronize();
}
