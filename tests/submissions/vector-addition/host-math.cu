// The host works its grid out with the C++ library. -> accepted
#include <cmath>
#include <algorithm>
#include <cstring>
#include <string>
#include <map>
#include <array>
#include <functional>
#include <cuda_runtime.h>
__global__ void add(const float* a, const float* b, float* c, unsigned long n) {
    unsigned long i =
        (unsigned long)blockIdx.y * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
extern "C" void solve(const float* A, const float* B, float* C, unsigned long N) {
    int t = std::pow(2, std::min(8.0, std::ceil(std::log2(std::max<double>(N, 2)))));
    std::function<int(int, int)> cd = [](int a, int b) { return (a + b - 1) / b; };
    int blocks = cd((int)N, t), gx = std::max(1, (int)std::sqrt((double)blocks)), gy = cd(blocks, gx);
    std::array<int, 2> g{gx, gy};
    add<<<dim3(g[0], g[1]), t>>>(A, B, C, N);
}
