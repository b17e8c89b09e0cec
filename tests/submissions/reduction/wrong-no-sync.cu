// A tree without barriers. -> hazard
__global__ void r(const float* in, float* out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = 128; k; k >>= 1)
        if (t < k) s[t] += s[t + k];
    if (t == 0) atomicAdd(out, s[0]);
}
extern "C" void solve(const float* input, float* output, int N) {
    r<<<(N + 255) / 256, 256>>>(input, output, N);
}
