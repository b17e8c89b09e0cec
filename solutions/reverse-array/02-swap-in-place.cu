// A pair is owned by one thread, which reads both ends before it writes either: no scratch, no second pass.
// Lanes of the far end run backwards through memory, which costs nothing: the same 4 sectors a request.
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 2) {
        float front = input[i];
        float back = input[N - 1 - i];
        input[i] = back;
        input[N - 1 - i] = front;
    }
}

extern "C" void solve(float* input, int N) {
    int threads = 256;
    reverse<<<(N / 2 + threads) / threads, threads>>>(input, N);
    cudaDeviceSynchronize();
}
