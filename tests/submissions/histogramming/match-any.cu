// Lanes with equal values add once. -> accepted
#include <cuda_runtime.h>
__global__ void h(const int4* in, int* hist, int n, int bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto add = [&](int b) {
        unsigned peers = __match_any_sync(__activemask(), b);
        if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(&hist[b], __popc(peers));
    };
    if (4 * i + 3 < n) {
        int4 v = in[i];
        add(v.x);
        add(v.y);
        add(v.z);
        add(v.w);
    } else
        for (int k = 4 * i; k < n; ++k) add(((const int*)in)[k]);
}
extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
    int q = (N + 3) / 4;
    h<<<(q + 127) / 128, 128>>>((const int4*)input, histogram, N, num_bins);
}
