// Device variables written and read by the host. -> accepted
#include <cuda_runtime.h>
__device__ float d_sum;
__device__ float d_part[4096];
__global__ void a(const float* in, int n) {
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
    d_part[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
__global__ void b(int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += d_part[i];
    d_sum = s;
}
extern "C" void solve(const float* input, float* output, int N) {
    float zero = 0.f;
    cudaMemcpyToSymbol(d_sum, &zero, sizeof(float));
    a<<<4, 128>>>(input, N);
    b<<<1, 1>>>(512);
    float h;
    cudaMemcpyFromSymbol(&h, d_sum, sizeof(float));
    cudaMemcpy(output, &h, sizeof h, cudaMemcpyDefault);
    void* p;
    cudaGetSymbolAddress(&p, d_sum);
    cudaMemcpy(output, p, 4, cudaMemcpyDeviceToDevice);
}
