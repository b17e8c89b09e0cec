// Blocks scan 512 elements each in shared memory with Blelloch's two trees (2N additions, not N log N),
// their totals are scanned the same way, and a last kernel adds to each block what lies before it.
// Three passes instead of log2(N); the trees' strides cause bank conflicts.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int SPAN = 2 * THREADS;  // elements per block

// Inclusive scan of each block's span; totals[block] receives its sum unless totals is null.
__global__ void scan_spans(const float* from, float* to, float* totals, int n) {
    __shared__ float tree[SPAN];
    int tid = threadIdx.x;
    int first = blockIdx.x * SPAN;
    for (int k = tid; k < SPAN; k += THREADS) {
        tree[k] = first + k < n ? from[first + k] : 0.0f;
    }
    for (int d = 1; d < SPAN; d *= 2) {  // up: tree nodes become the sums of their subtrees
        __syncthreads();
        int right = 2 * d * (tid + 1) - 1;
        if (right < SPAN) {
            tree[right] += tree[right - d];
        }
    }
    for (int d = SPAN / 4; d > 0; d /= 2) {  // down: pass finished prefixes on to the gaps between
        __syncthreads();
        int left = 2 * d * (tid + 1) - 1;
        if (left + d < SPAN) {
            tree[left + d] += tree[left];
        }
    }
    __syncthreads();
    for (int k = tid; k < SPAN; k += THREADS) {
        if (first + k < n) {
            to[first + k] = tree[k];
        }
    }
    if (tid == 0 && totals != nullptr) {
        totals[blockIdx.x] = tree[SPAN - 1];
    }
}

__global__ void add_before(float* values, const float* totals, int n) {
    int i = (blockIdx.x + 1) * SPAN + threadIdx.x;  // nothing lies before the first span
    float before = totals[blockIdx.x];
    if (i < n) values[i] += before;
    if (i + THREADS < n) values[i + THREADS] += before;
}

void scan(const float* from, float* to, int n) {
    int blocks = (n + SPAN - 1) / SPAN;
    if (blocks == 1) {
        scan_spans<<<1, THREADS>>>(from, to, nullptr, n);
        return;
    }
    float* totals;
    cudaMalloc(&totals, 2 * blocks * sizeof(float));
    scan_spans<<<blocks, THREADS>>>(from, to, totals, n);
    scan(totals, totals + blocks, blocks);
    add_before<<<blocks - 1, THREADS>>>(to, totals + blocks, n);
    cudaFree(totals);
}

extern "C" void solve(const float* input, float* output, int N) {
    scan(input, output, N);
    cudaDeviceSynchronize();
}
