__global__ void reduce(const float* in, float* out, int n) {
    float sum = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    for (int k = i; k < n / 4; k += all) {
        float4 v = ((const float4*)in)[k];
        sum += v.x + v.y + v.z + v.w;
    }
    int rest = n / 4 * 4 + i;
    if (rest < n) sum += in[rest];
    for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    __shared__ float part[8];
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (int w = 0; w < 8; ++w) total += part[w];
        out[blockIdx.x] = total;
    }
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    reduce<<<3, 256>>>(a, out, 10007);
}
