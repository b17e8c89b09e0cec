// The k-th largest is found byte by byte: count the 256 values of the highest byte, pick the bin that holds the
// k-th, count the next byte among the elements of that bin, and so on. A fifth pass collects the winners, and
// only they are sorted.
#include <cuda_runtime.h>

constexpr int THREADS = 512;
constexpr int MAX_BLOCKS = 132 * 4;
constexpr int MAX_K = 1024;

__device__ unsigned prefix;   // the bytes found so far
__device__ int missing;       // how many elements with that prefix are among the k
__device__ int bins[256];
__device__ int taken, equals;  // places given to larger elements, and to equal ones
__device__ unsigned winners[MAX_K];

__device__ unsigned ordered(float value) {  // keeps the order of floats
    unsigned bits = __float_as_uint(value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__global__ void reset(int k) {
    bins[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        prefix = 0;
        missing = k;
        taken = equals = 0;
    }
}

__global__ void count(const float* input, int N, int shift) {
    __shared__ int mine[256];
    if (threadIdx.x < 256) {
        mine[threadIdx.x] = 0;
    }
    __syncthreads();
    unsigned found = prefix;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        unsigned key = ordered(input[i]);
        if ((key ^ found) >> shift >> 8 == 0) {
            atomicAdd(&mine[key >> shift & 255], 1);
        }
    }
    __syncthreads();
    if (threadIdx.x < 256 && mine[threadIdx.x] > 0) {
        atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
    }
}

__global__ void pick(int shift) {  // 256 threads, one per bin
    __shared__ int counts[256];
    int t = threadIdx.x;
    counts[t] = bins[t];
    bins[t] = 0;
    int wanted = missing;
    __syncthreads();
    int above = 0;
    for (int b = t + 1; b < 256; ++b) {
        above += counts[b];
    }
    if (above < wanted && wanted <= above + counts[t]) {
        prefix |= (unsigned)t << shift;
        missing = wanted - above;
    }
}

__global__ void collect(const float* input, int N, int k) {
    unsigned threshold = prefix;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        unsigned key = ordered(input[i]);
        if (key > threshold) {
            winners[atomicAdd(&taken, 1)] = key;
        } else if (key == threshold && equals < missing) {  // an old value of `equals` does no harm
            int place = atomicAdd(&equals, 1);
            if (place < missing) {
                winners[k - 1 - place] = key;
            }
        }
    }
}

__global__ void rank(float* output, int k) {  // each winner counts those before it
    __shared__ unsigned keys[MAX_K];
    int t = threadIdx.x;
    keys[t] = winners[t];
    __syncthreads();
    unsigned key = keys[t];
    int place = 0;
    for (int i = 0; i < k; ++i) {
        place += keys[i] > key || (keys[i] == key && i < t);
    }
    output[place] = __uint_as_float(key & 0x80000000u ? key & 0x7fffffffu : ~key);
}

extern "C" void solve(const float* input, float* output, int N, int k) {
    int blocks = (N + THREADS - 1) / THREADS;
    blocks = blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS;
    reset<<<1, 256>>>(k);
    for (int shift = 24; shift >= 0; shift -= 8) {
        count<<<blocks, THREADS>>>(input, N, shift);
        pick<<<1, 256>>>(shift);
    }
    collect<<<blocks, THREADS>>>(input, N, k);
    rank<<<1, k>>>(output, k);
    cudaDeviceSynchronize();
}
