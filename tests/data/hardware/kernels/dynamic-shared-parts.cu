extern __shared__ float pool[];
__global__ void go(const float* a, const float* b, float* out, int m) {
    float* p = pool;
    float* q = pool + m;
    int t = threadIdx.x;
    for (int i = t; i < m; i += blockDim.x) { p[i] = a[i]; q[i] = b[i]; }
    __syncthreads();
    float x = 0;
    for (int i = 0; i < 16; ++i) x += p[i] * q[(t + i) % m];
    out[blockIdx.x * blockDim.x + t] = x + p[t % m];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    go<<<2, 128, 2 * 100 * 4>>>(a, b, out, 100);
}
