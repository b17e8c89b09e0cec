// Blocks take turns behind a lock. -> accepted
__device__ int lock;
__global__ void r(const float* in, volatile float* out, int n) {
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1)) {
        }
        __threadfence();
        *out = *out + v;
        __threadfence();
        atomicExch(&lock, 0);
    }
}
extern "C" void solve(const float* input, float* output, int N) { r<<<8, 32>>>(input, output, N); }
