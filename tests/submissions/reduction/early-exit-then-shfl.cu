// Lanes beyond the end have left; the mask is those that remain. -> accepted
__global__ void r(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned m = __activemask();
    float v = in[i];
    int lane = threadIdx.x & 31, live = __popc(m);
    for (int o = 16; o; o >>= 1) {
        float w = __shfl_down_sync(m, v, o);
        if (lane + o < live) v += w;
    }
    if (lane == 0) atomicAdd(out, v);
}
extern "C" void solve(const float* input, float* output, int N) {
    r<<<(N + 255) / 256, 256>>>(input, output, N);
}
