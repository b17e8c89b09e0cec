// Asks the device how much fits; inline assembly adds. -> accepted
#include <cuda_runtime.h>
__global__ void __launch_bounds__(256) k(const float* A, const float* B, float* C, int N) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += stride) {
        float r;
        asm volatile("add.f32 %0, %1, %2;" : "=f"(r) : "f"(A[i]), "f"(B[i]));
        __stcs(&C[i], r);
    }
}
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    int dev = 0, sms = 0, blocks = 0, minGrid, bs;
    cudaGetDevice(&dev);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&minGrid, &bs, k, 0, 0);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, dev);
    int grid = min(sms * blocks, (N + 255) / 256);
    k<<<grid, 256>>>(A, B, C, N);
    cudaDeviceSynchronize();
}
