// Each block sorts 2048 elements in shared memory and passes its k largest on; launches repeat on what was
// passed on until one block is left. The input is read once, but every tile is sorted completely.
#include <cuda_runtime.h>

constexpr int THREADS = 512;
constexpr int TILE = 2048;

// Sorts a power of two of values in shared memory, largest first (bitonic).
__device__ void sort(float* values, int size) {
    for (int width = 2; width <= size; width *= 2) {
        for (int d = width / 2; d > 0; d /= 2) {
            __syncthreads();
            for (int i = threadIdx.x; i < size / 2; i += THREADS) {
                int low = 2 * i - (i & (d - 1)), high = low + d;
                float a = values[low], b = values[high];
                if ((a < b) == ((low & width) == 0)) {
                    values[low] = b;
                    values[high] = a;
                }
            }
        }
    }
    __syncthreads();
}

// The k largest of each tile; a short last tile is filled up with minus infinity.
__global__ void best_of_tile(const float* input, float* output, int N, int k) {
    __shared__ float values[TILE];
    for (int i = threadIdx.x; i < TILE; i += THREADS) {
        int from = blockIdx.x * TILE + i;
        values[i] = from < N ? input[from] : -INFINITY;
    }
    sort(values, TILE);
    for (int i = threadIdx.x; i < k; i += THREADS) {
        output[blockIdx.x * k + i] = values[i];
    }
}

extern "C" void solve(const float* input, float* output, int N, int k) {
    int tiles = (N + TILE - 1) / TILE;
    float* passed[2];
    cudaMalloc(&passed[0], (size_t)tiles * k * sizeof(float));
    cudaMalloc(&passed[1], (size_t)tiles * k * sizeof(float));
    const float* from = input;
    int n = N, next = 0;
    while (tiles > 1) {
        best_of_tile<<<tiles, THREADS>>>(from, passed[next], n, k);
        from = passed[next];
        next = 1 - next;
        n = tiles * k;
        tiles = (n + TILE - 1) / TILE;
    }
    best_of_tile<<<1, THREADS>>>(from, output, n, k);
    cudaFree(passed[0]);
    cudaFree(passed[1]);
    cudaDeviceSynchronize();
}
