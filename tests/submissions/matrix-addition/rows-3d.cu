// Rows over two axes of the grid. -> accepted
#include <cuda_runtime.h>
#define IDX(r, c, ld) ((r) * (ld) + (c))
__global__ void madd(const float* A, const float* B, float* C, size_t N) {
    size_t r = blockIdx.z * gridDim.y + blockIdx.y;
    if (r >= N) return;
    for (size_t c = threadIdx.x + threadIdx.y * blockDim.x; c < N; c += blockDim.x * blockDim.y)
        C[IDX(r, c, N)] = A[IDX(r, c, N)] + B[IDX(r, c, N)];
}
extern "C" void solve(const float* A, const float* B, float* C, size_t N) {
    dim3 grid(1, 16, (N + 15) / 16), block(16, 4);
    madd<<<grid, block>>>(A, B, C, N);
    cudaDeviceSynchronize();
}
