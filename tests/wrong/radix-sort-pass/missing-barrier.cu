// Ranks before the tile's digits are there. -> hazard
#include <cuda_runtime.h>

// table[d * tiles + t]: keys of digit d in tile t of 256 keys, later where they begin.
__global__ void count(const unsigned* keys, int* table, int N, int shift) {
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < N) atomicAdd(&bins[keys[i] >> shift & 255], 1);
    __syncthreads();
    table[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void scan(int* table, int entries) {
    __shared__ int sums[1024];
    int t = threadIdx.x, share = (entries + 1023) / 1024;
    int begin = min(t * share, entries), end = min(begin + share, entries), sum = 0;
    for (int k = begin; k < end; ++k) sum += table[k];
    sums[t] = sum;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        int left = t >= d ? sums[t - d] : 0;
        __syncthreads();
        sums[t] += left;
        __syncthreads();
    }
    sum = sums[t] - sum;
    for (int k = begin; k < end; ++k) {
        int kept = table[k];
        table[k] = sum;
        sum += kept;
    }
}

__global__ void move(const unsigned* keys, unsigned* output, const int* table, int N, int shift) {
    __shared__ int digits[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    digits[t] = i < N ? keys[i] >> shift & 255 : -1;
    if (i >= N) return;
    int place = table[digits[t] * gridDim.x + blockIdx.x];
    for (int k = 0; k < t; ++k) place += digits[k] == digits[t];
    output[place] = keys[i];
}

extern "C" void solve(const unsigned int* input, unsigned int* output, int N, int shift) {
    int tiles = (N + 255) / 256;
    int* table;
    cudaMalloc(&table, tiles * 256 * sizeof(int));
    count<<<tiles, 256>>>(input, table, N, shift);
    scan<<<1, 1024>>>(table, tiles * 256);
    move<<<tiles, 256>>>(input, output, table, N, shift);
    cudaFree(table);
    cudaDeviceSynchronize();
}
