// Four butterflies of a transform over complex numbers in shared memory.
__global__ void butterflies(const float2* in, float2* out) {
    __shared__ float2 s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    s[t + 128] = in[blockIdx.x * 256 + t + 128];
    for (int h = 1; h < 256; h *= 4) {
        __syncthreads();
        int i = t / h * 2 * h + t % h;
        float2 u = s[i], v = s[i + h];
        s[i] = {u.x + v.x, u.y + v.y};
        s[i + h] = {u.x - v.x, u.y - v.y};
    }
    __syncthreads();
    out[blockIdx.x * 256 + t] = s[t];
    out[blockIdx.x * 256 + t + 128] = s[255 - t];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    butterflies<<<4, 128>>>((const float2*)a, (float2*)out);
}
