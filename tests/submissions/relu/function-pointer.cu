// A table of device functions. -> accepted
typedef float (*F)(float);
__device__ float relu_(float x) { return fmaxf(x, 0.0f); }
__device__ float id_(float x) { return x; }
__device__ F table[2] = {id_, relu_};
__global__ void k(const float* in, float* out, int n, int which) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[which](in[i]);
}
extern "C" void solve(const float* input, float* output, int N) {
    k<<<(N + 63) / 64, 64>>>(input, output, N, 1);
}
