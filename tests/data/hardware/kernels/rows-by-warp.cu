__global__ void dots(const float* A, const float* x, float* y, int R, int C) {
    int row = blockIdx.x * 4 + threadIdx.y;
    if (row >= R) return;
    float s = 0;
    for (int c = threadIdx.x; c < C; c += 32) s += A[row * C + c] * x[c];
    for (int o = 16; o; o /= 2) s += __shfl_down_sync(~0u, s, o);
    if (threadIdx.x == 0) y[row] = s;
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    dots<<<6, dim3(32, 4)>>>(a, b, out, 22, 171);
}
