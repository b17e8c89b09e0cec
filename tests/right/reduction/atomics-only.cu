// One atomic a thread: the order of the additions is anybody's guess.
__global__ void sum(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) atomicAdd(output, input[i]);
}

extern "C" void solve(const float* input, float* output, int N) {
    sum<<<(N + 127) / 128, 128>>>(input, output, N);
}
