// Up and down a tree. -> accepted
#include <cuda_runtime.h>
__global__ void blelloch(const float* in, float* out, float* tot, int n) {
    extern __shared__ float t[];
    int id = threadIdx.x, base = blockIdx.x * 512, off = 1;
    t[2 * id] = base + 2 * id < n ? in[base + 2 * id] : 0;
    t[2 * id + 1] = base + 2 * id + 1 < n ? in[base + 2 * id + 1] : 0;
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (id < d) {
            int a = off * (2 * id + 1) - 1, b = off * (2 * id + 2) - 1;
            t[b] += t[a];
        }
        off *= 2;
    }
    if (id == 0) {
        tot[blockIdx.x] = t[511];
        t[511] = 0;
    }
    for (int d = 1; d < 512; d *= 2) {
        off >>= 1;
        __syncthreads();
        if (id < d) {
            int a = off * (2 * id + 1) - 1, b = off * (2 * id + 2) - 1;
            float x = t[a];
            t[a] = t[b];
            t[b] += x;
        }
    }
    __syncthreads();
    for (int k = 0; k < 2; ++k) {
        int i = base + 2 * id + k;
        if (i < n) out[i] = t[2 * id + k] + in[i];
    }
}
__global__ void totals(float* t, int n) {
    float s = 0;
    for (int i = 0; i < n; ++i) {
        float v = t[i];
        t[i] = s;
        s += v;
    }
}
__global__ void shift(float* out, const float* t, int n) {
    int i = blockIdx.x * 512 + threadIdx.x;
    if (i < n) out[i] += t[blockIdx.x];
}
extern "C" void solve(const float* input, float* output, int N) {
    int b = (N + 511) / 512;
    float* t;
    cudaMalloc(&t, b * 4);
    blelloch<<<b, 256, 512 * 4>>>(input, output, t, N);
    totals<<<1, 1>>>(t, b);
    shift<<<b, 512>>>(output, t, N);
    cudaFree(t);
}
