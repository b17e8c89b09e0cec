// __expf is one multiplication and one ex2, __fdividef one reciprocal and one multiplication: about ten
// instructions less per element, at a few more roundings. An infinite exp gives 1 / inf = 0, as it should.
#include <cuda_runtime.h>

__device__ float sigmoid(float x) {
    return __fdividef(1.0f, 1.0f + __expf(-x));
}

__global__ void sigmoid4(const float* X, float* Y, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int quads = N / 4;
    if (i < quads) {
        float4 x = reinterpret_cast<const float4*>(X)[i];
        reinterpret_cast<float4*>(Y)[i] = make_float4(sigmoid(x.x), sigmoid(x.y), sigmoid(x.z), sigmoid(x.w));
    } else if (i == quads) {
        for (int k = quads * 4; k < N; ++k) {
            Y[k] = sigmoid(X[k]);
        }
    }
}

extern "C" void solve(const float* X, float* Y, int N) {
    int threads = 256;
    int work = N / 4 + 1;
    sigmoid4<<<(work + threads - 1) / threads, threads>>>(X, Y, N);
    cudaDeviceSynchronize();
}
