// The best value so far starts at zero, which no negative number beats. -> wrong_answer
#include <cuda_runtime.h>

__global__ void find_largest(const float* input, int* output, int N) {
    float value = 0.0f;
    int index = 0;
    for (int i = 0; i < N; ++i) {
        if (input[i] > value) {
            value = input[i];
            index = i;
        }
    }
    output[0] = index;
}

extern "C" void solve(const float* input, int* output, int N) {
    find_largest<<<1, 1>>>(input, output, N);
    cudaDeviceSynchronize();
}
