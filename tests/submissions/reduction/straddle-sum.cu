// The last float4 brings garbage into the sum. -> hazard
__global__ void r(const float4* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i < n) {
        float4 v = in[i];
        atomicAdd(out, v.x + v.y + v.z + v.w);
    }
}
extern "C" void solve(const float* input, float* output, int N) {
    int q = (N + 3) / 4;
    r<<<(q + 127) / 128, 128>>>((const float4*)input, output, N);
}
