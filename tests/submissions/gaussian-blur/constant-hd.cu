// Weights go through the host into constant memory. -> accepted
#include <cuda_runtime.h>
#include <vector>
__constant__ float W[441];
template <int T>
__global__ void blur(const float* in, float* out, int H, int Wd, int kh, int kw) {
    __shared__ float s[T + 20][T + 20];
    int ph = kh / 2, pw = kw / 2;
    for (int y = threadIdx.y; y < T + kh - 1; y += T)
        for (int x = threadIdx.x; x < T + kw - 1; x += T) {
            int gy = blockIdx.y * T + y - ph, gx = blockIdx.x * T + x - pw;
            s[y][x] = (unsigned)gy < (unsigned)H && (unsigned)gx < (unsigned)Wd ? in[gy * Wd + gx] : 0.f;
        }
    __syncthreads();
    int gx = blockIdx.x * T + threadIdx.x, gy = blockIdx.y * T + threadIdx.y;
    if (gx >= Wd || gy >= H) return;
    float a = 0.f;
    for (int i = 0; i < kh; ++i)
#pragma unroll 4
        for (int j = 0; j < kw; ++j) a += s[threadIdx.y + i][threadIdx.x + j] * W[i * kw + j];
    out[gy * Wd + gx] = a;
}
extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    std::vector<float> h(kernel_rows * kernel_cols);
    cudaMemcpy(h.data(), kernel, h.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpyToSymbol(W, h.data(), h.size() * sizeof(float));
    dim3 t(16, 16);
    blur<16><<<dim3((input_cols + 15) / 16, (input_rows + 15) / 16), t>>>(
        input, output, input_rows, input_cols, kernel_rows, kernel_cols);
}
