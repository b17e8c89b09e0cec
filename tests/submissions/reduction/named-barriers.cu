// Two halves of a block meet at barriers of their own. -> accepted
__global__ void r(const float* in, float* out, int n) {
    __shared__ float s[128];
    int t = threadIdx.x, half = t / 64, u = t % 64;
    float v = 0;
    for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128) v += in[i];
    s[t] = v;
    for (int k = 32; k; k /= 2) {
        asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
        if (u < k) s[t] += s[t + k];
    }
    __syncthreads();
    if (t == 0) atomicAdd(out, s[0] + s[64]);
}
extern "C" void solve(const float* input, float* output, int N) { r<<<4, 128>>>(input, output, N); }
