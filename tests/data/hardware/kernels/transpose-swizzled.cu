__global__ void transpose(const float* in, float* out, int n) {
    __shared__ float s[32 * 32];
    int tx = threadIdx.x, ty = threadIdx.y;
    for (int j = ty; j < 32; j += 4) s[j * 32 + (tx ^ j)] = in[(blockIdx.y * 32 + j) * n + blockIdx.x * 32 + tx];
    __syncthreads();
    for (int j = ty; j < 32; j += 4) out[(blockIdx.x * 32 + j) * n + blockIdx.y * 32 + tx] = s[tx * 32 + (j ^ tx)];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    transpose<<<dim3(3, 3), dim3(32, 4)>>>(a, out, 96);
}
