__global__ void transpose(const float* in, float* out, int n) {
    __shared__ __align__(16) float s[32][36];
    int t = threadIdx.x, r = t / 8, c = t % 8 * 4;
    *(float4*)&s[r][c] = *(const float4*)&in[(blockIdx.y * 32 + r) * n + blockIdx.x * 32 + c];
    __syncthreads();
    float4 v = {s[c][r], s[c + 1][r], s[c + 2][r], s[c + 3][r]};
    *(float4*)&out[(blockIdx.x * 32 + r) * n + blockIdx.y * 32 + c] = v;
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    transpose<<<dim3(2, 2), 256>>>(a, out, 64);
}
