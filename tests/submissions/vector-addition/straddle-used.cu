// What lies behind the end gets into the result. -> hazard
#include <cuda_runtime.h>
__global__ void add4(const float4* A, const float4* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i >= N) return;
    float4 a = A[i], b = B[i];
    float s[4] = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
    for (int k = 0; k < 4 && 4 * i + k < N; ++k) C[4 * i + k] = s[k] + 0.0f * (s[1] + s[2] + s[3]) * (N == 1);
    if (N == 3) C[2] = s[3];
}
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    int quads = (N + 3) / 4;
    add4<<<(quads + 255) / 256, 256>>>((const float4*)A, (const float4*)B, C, N);
}
