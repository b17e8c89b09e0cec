__global__ void keep(const float* in, float* out, int n) {
    __shared__ int count, kept[256];
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool yes = i < n && in[i] > 0.5f;
    unsigned who = __ballot_sync(~0u, yes);
    int first = 0, lane = threadIdx.x % 32;
    if (lane == 0) first = atomicAdd(&count, __popc(who));
    first = __shfl_sync(~0u, first, 0);
    if (yes) kept[__popc(who & ((1u << lane) - 1))] = i;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count + first;
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    keep<<<8, 256>>>(a, out, 1999);
}
