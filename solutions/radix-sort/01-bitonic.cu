// A bitonic sort: log2(N) * (log2(N) + 1) / 2 launches, and in each every number meets one partner and the smaller
// of the two takes the front. Simple, any order of threads will do, and the same work whatever the values are.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void copy_padded(const unsigned* input, unsigned* values, int N, int size) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < size) {
        values[i] = i < N ? input[i] : 0xffffffffu;
    }
}

__global__ void compare_pairs(unsigned* values, int width, int distance, int size) {
    int pair = blockIdx.x * THREADS + threadIdx.x;
    if (pair >= size / 2) {
        return;
    }
    int low = 2 * pair - (pair & (distance - 1)), high = low + distance;
    unsigned a = values[low], b = values[high];
    if ((a > b) == ((low & width) == 0)) {  // every other run of `width` is sorted the other way
        values[low] = b;
        values[high] = a;
    }
}

__global__ void copy_back(const unsigned* values, unsigned* output, int N) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N) {
        output[i] = values[i];
    }
}

extern "C" void solve(const unsigned int* input, unsigned int* output, int N) {
    int size = 2;
    while (size < N) {
        size *= 2;
    }
    unsigned* values;
    cudaMalloc(&values, size * sizeof(unsigned));
    copy_padded<<<(size + THREADS - 1) / THREADS, THREADS>>>(input, values, N, size);
    int blocks = (size / 2 + THREADS - 1) / THREADS;
    for (int width = 2; width <= size && width > 0; width *= 2) {
        for (int distance = width / 2; distance > 0; distance /= 2) {
            compare_pairs<<<blocks, THREADS>>>(values, width, distance, size);
        }
    }
    copy_back<<<(N + THREADS - 1) / THREADS, THREADS>>>(values, output, N);
    cudaFree(values);
    cudaDeviceSynchronize();
}
