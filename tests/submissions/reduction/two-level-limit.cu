// Two levels of 1024 threads reach as far as a million elements. -> wrong_answer
__global__ void r(const float* in, float* out, int n) {
    __shared__ float s[1024];
    int t = threadIdx.x, i = blockIdx.x * 1024 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = 512; k; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (!t) out[blockIdx.x] = s[0];
}
extern "C" void solve(const float* input, float* output, int N) {
    int b = (N + 1023) / 1024;
    float* d;
    cudaMalloc(&d, b * 4);
    r<<<b, 1024>>>(input, d, N);
    r<<<1, 1024>>>(d, output, b);
    cudaFree(d);
}
