// Eight stable splits, one for each bit of the digit, lowest first: keys with a zero go to the front, the others
// behind them. A split counts the zeros of each block, scans the counts and moves the keys.
#include <cuda_runtime.h>

constexpr int THREADS = 1024;
constexpr unsigned ALL = 0xffffffffu;

__device__ int block_scan(int value, int& total) {  // exclusive
    __shared__ int warps[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = value;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(ALL, sum, d);
        sum += lane >= d ? left : 0;
    }
    __syncthreads();
    if (lane == 31) {
        warps[warp] = sum;
    }
    __syncthreads();
    int before = 0;
    total = 0;
    for (int w = 0; w < 32; ++w) {
        before += w < warp ? warps[w] : 0;
        total += warps[w];
    }
    return before + sum - value;
}

__global__ void count(const unsigned* keys, int* zeros, int N, int bit) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    int found = __syncthreads_count(i < N && (keys[i] >> bit & 1) == 0);
    if (threadIdx.x == 0) {
        zeros[blockIdx.x] = found;
    }
}

__global__ void scan(int* zeros, int blocks) {  // one block; the total goes behind the last place
    int before = 0;
    for (int first = 0; first < blocks; first += THREADS) {
        int b = first + threadIdx.x, total;
        int place = block_scan(b < blocks ? zeros[b] : 0, total);
        if (b < blocks) {
            zeros[b] = before + place;
        }
        before += total;
    }
    if (threadIdx.x == 0) {
        zeros[blocks] = before;
    }
}

__global__ void move(const unsigned* keys, unsigned* to, const int* zeros, int N, int bit) {
    int i = blockIdx.x * THREADS + threadIdx.x, total;
    unsigned key = i < N ? keys[i] : 0;
    bool is_zero = i < N && (key >> bit & 1) == 0;
    int before = zeros[blockIdx.x] + block_scan(is_zero, total);  // zeros before this key
    if (i < N) {
        to[is_zero ? before : zeros[gridDim.x] + i - before] = key;
    }
}

extern "C" void solve(const unsigned int* input, unsigned int* output, int N, int shift) {
    int blocks = (N + THREADS - 1) / THREADS;
    int* zeros;
    unsigned* scratch;
    cudaMalloc(&zeros, (blocks + 1) * sizeof(int));
    cudaMalloc(&scratch, (size_t)N * sizeof(unsigned));
    const unsigned* from = input;
    for (int bit = 0; bit < 8; ++bit) {
        unsigned* to = bit % 2 == 0 ? scratch : output;
        count<<<blocks, THREADS>>>(from, zeros, N, shift + bit);
        scan<<<1, THREADS>>>(zeros, blocks);
        move<<<blocks, THREADS>>>(from, to, zeros, N, shift + bit);
        from = to;
    }
    cudaFree(zeros);
    cudaFree(scratch);
    cudaDeviceSynchronize();
}
