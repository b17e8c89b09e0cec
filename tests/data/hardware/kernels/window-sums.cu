__global__ void go(const float* in, float* out, int n) {
    __shared__ float s[512];
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 128) s[i] = in[blockIdx.x * 256 + i];
    __syncthreads();
    float x = 0, y = 0;
    for (int k = 0; k < 8; ++k) x += s[t * 2 + k];
    for (int k = 0; k < 6; ++k) y += s[t * 3 + k];
    out[blockIdx.x * 128 + t] = x * y;
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    go<<<4, 128>>>(a, out, n);
}
