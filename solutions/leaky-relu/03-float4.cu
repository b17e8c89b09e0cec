// One float4 per thread and as many threads as that takes: the scheduler starts a new block where one ends.
// A quarter of the memory instructions, and no loop to wait in.
#include <cuda_runtime.h>

__device__ float leaky(float x) {
    return x > 0.0f ? x : 0.01f * x;
}

__global__ void leaky_relu(const float* input, float* output, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int quads = N / 4;
    if (i < quads) {
        float4 x = reinterpret_cast<const float4*>(input)[i];
        reinterpret_cast<float4*>(output)[i] = make_float4(leaky(x.x), leaky(x.y), leaky(x.z), leaky(x.w));
    } else if (i == quads) {  // the one to three elements left over
        for (int k = quads * 4; k < N; ++k) {
            output[k] = leaky(input[k]);
        }
    }
}

extern "C" void solve(const float* input, float* output, int N) {
    int threads = 256;
    int work = N / 4 + 1;  // quads, and one thread for the tail
    leaky_relu<<<(work + threads - 1) / threads, threads>>>(input, output, N);
    cudaDeviceSynchronize();
}
