__global__ void go(const float* in, float* out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 0;
#pragma unroll 4
    for (int k = i * stride; k < n; k += stride * gridDim.x * blockDim.x) x += in[k];
    out[i * 3] = x;
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    go<<<2, 128>>>(a, out, 20000, 1); go<<<2, 128>>>(a, out, 20000, 5); go<<<2, 64>>>(a, out, 30000, 33);
}
