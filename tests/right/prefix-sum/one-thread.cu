// Slow, and as right as any: one thread adds everything up.
__global__ void scan(const float* input, float* output, int N) {
    float sum = 0.0f;
    for (int i = 0; i < N; ++i) output[i] = sum += input[i];
}

extern "C" void solve(const float* input, float* output, int N) {
    scan<<<1, 1>>>(input, output, N);
}
