__global__ void go(const float* in, float* out, int n) {
    __shared__ float s[3][32];
    int t = threadIdx.x;
    float v = 0;
    for (int i = blockIdx.x * 96 + t; i < n; i += gridDim.x * 96) v += in[i];
    s[t / 32][t % 32] = v;
    __syncthreads();
    if (t < 32) out[blockIdx.x * 32 + t] = s[0][t] + s[1][t] + s[2][t];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    go<<<4, 96>>>(a, out, 3333);
}
