// Launched through a pointer to one of two instances. -> accepted
#include <cuda_runtime.h>
#include <math.h>
template <int V>
__global__ void k(const float* in, float* out, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * V;
    for (int j = 0; j < V && i + j < n; ++j) out[i + j] = in[i + j] > 0.f ? in[i + j] : 0.f;
}
typedef void (*Kernel)(const float*, float*, int);
extern "C" void solve(const float* input, float* output, int N) {
    Kernel f = N % 4 == 0 ? k<4> : k<1>;
    int v = N % 4 == 0 ? 4 : 1;
    int g = (int)ceil((float)N / (256.0f * v));
    f<<<g, 256>>>(input, output, N);
}
