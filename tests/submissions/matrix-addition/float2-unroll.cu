// Pairs and a single last element; an unnamed namespace. -> accepted
#include <cuda_runtime.h>
#include <cstdint>
static constexpr int kThreads = 128;
__device__ __forceinline__ float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
namespace {
__global__ void body(const float2* a, const float2* b, float2* c, int64_t pairs) {
    int64_t i = int64_t(blockIdx.x) * kThreads + threadIdx.x;
    if (i < pairs) c[i] = a[i] + b[i];
}
__global__ void rest(const float* a, const float* b, float* c, int64_t i) { c[i] = a[i] + b[i]; }
}  // namespace
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    int64_t total = static_cast<int64_t>(N) * N, pairs = total / 2;
    if (pairs > 0)
        body<<<(pairs + kThreads - 1) / kThreads, kThreads>>>((const float2*)A, (const float2*)B, (float2*)C,
                                                              pairs);
    if (total & 1) rest<<<1, 1>>>(A, B, C, total - 1);
}
