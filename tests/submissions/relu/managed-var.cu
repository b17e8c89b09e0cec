// Managed, constant and static device variables. -> accepted
__device__ __managed__ int threads = 128;
__constant__ float zero = 0.0f;
static __device__ int hits;
__global__ void k(const float* in, float* out, int n) {
    int i = blockIdx.x * threads + threadIdx.x;
    if (i < n) {
        out[i] = max(zero, in[i]);
        atomicAdd(&hits, 1);
    }
}
extern "C" void solve(const float* input, float* output, int N) {
    k<<<(N + 127) / 128, 128>>>(input, output, N);
}
