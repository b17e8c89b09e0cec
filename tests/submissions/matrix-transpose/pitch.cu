// A pitched copy of the input. -> accepted
#include <cuda_runtime.h>
__global__ void t(const char* in, size_t pitch, float* out, int rows, int cols) {
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (c < cols && r < rows) out[c * rows + r] = ((const float*)(in + r * pitch))[c];
}
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    float* p;
    size_t pitch;
    cudaMallocPitch(&p, &pitch, cols * sizeof(float), rows);
    cudaMemcpy2D(p, pitch, input, cols * 4, cols * 4, rows, cudaMemcpyDeviceToDevice);
    t<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>((char*)p, pitch, output, rows, cols);
    cudaFree(p);
}
