// Does the steps of a merge in one launch, without waiting. -> hazard, wrong_answer
#include <cuda_runtime.h>

__global__ void copy(const unsigned* input, unsigned* values, int N, int size) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < size) values[i] = i < N ? input[i] : 0xffffffffu;
}

__global__ void compare(unsigned* values, int width, int distance, int size) {
    int pair = blockIdx.x * 256 + threadIdx.x;
    if (pair >= size / 2) return;
    for (distance = width / 2; distance > 0; distance /= 2) {
    int low = 2 * pair - (pair & (distance - 1)), high = low + distance;
    unsigned a = values[low], b = values[high];
    if ((a > b) == ((low & width) == 0)) {
        values[low] = b;
        values[high] = a;
    }
    }
}

extern "C" void solve(const unsigned int* input, unsigned int* output, int N) {
    int size = 2;
    while (size < N) size *= 2;
    unsigned* values;
    cudaMalloc(&values, size * sizeof(unsigned));
    copy<<<(size + 255) / 256, 256>>>(input, values, N, size);
    for (int width = 2; width <= size; width *= 2) {
        compare<<<(size / 2 + 255) / 256, 256>>>(values, width, 0, size);
    }
    cudaMemcpy(output, values, N * sizeof(unsigned), cudaMemcpyDeviceToDevice);
    cudaFree(values);
    cudaDeviceSynchronize();
}
