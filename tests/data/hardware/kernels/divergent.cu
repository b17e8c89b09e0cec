__global__ void go(const float* a, const float* b, float* out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = a[i];
    __syncthreads();
    float x = 0;
    switch (t % 4) {
        case 0: x = a[i * 2] + s[t ^ 1]; break;
        case 1: x = b[n - i] * s[255 - t]; break;
        case 2: for (int k = 0; k < t % 7; ++k) x += s[(t + k * 3) % 256]; break;
        default: x = sqrtf(b[i / 2]);
    }
    if (t % 32 > 10) out[i] = x;
    else out[i + n] = x * 2;
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    go<<<3, 256>>>(a, b, out, 2000);
}
