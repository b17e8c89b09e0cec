// Takes for granted that the block before has finished. -> hazard
__global__ void k(const float* in, float* out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int j = blockIdx.x * 256; j <= i; ++j) s += in[j];
    if (blockIdx.x > 0) s += out[blockIdx.x * 256 - 1];
    out[i] = s;
}
extern "C" void solve(const float* input, float* output, int N) {
    k<<<(N + 255) / 256, 256>>>(input, output, N);
}
