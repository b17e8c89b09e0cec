// Reads the warps' counts before they are there. -> hazard
#include <cuda_runtime.h>

__global__ void count(const float* A, int* counts, int N) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int kept = __syncthreads_count(i < N && A[i] > 0.0f);
    if (threadIdx.x == 0) counts[blockIdx.x] = kept;
}

__global__ void scan(int* counts, int blocks) {
    int sum = 0;
    for (int b = 0; b < blocks; ++b) {
        int kept = counts[b];
        counts[b] = sum;
        sum += kept;
    }
}

__global__ void write(const float* A, const int* places, float* out, int N) {
    __shared__ int warps[8];
    int i = blockIdx.x * 256 + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    bool keep = i < N && A[i] > 0.0f;
    unsigned kept = __ballot_sync(0xffffffffu, keep);
    if (lane == 0) warps[warp] = __popc(kept);
    int place = places[blockIdx.x] + __popc(kept & ((1u << lane) - 1));
    for (int w = 0; w < warp; ++w) place += warps[w];
    if (keep) out[place] = A[i];
}

extern "C" void solve(const float* A, int N, float* out) {
    int blocks = (N + 255) / 256;
    int* counts;
    cudaMalloc(&counts, blocks * sizeof(int));
    count<<<blocks, 256>>>(A, counts, N);
    scan<<<1, 1>>>(counts, blocks);
    write<<<blocks, 256>>>(A, counts, out, N);
    cudaFree(counts);
    cudaDeviceSynchronize();
}
