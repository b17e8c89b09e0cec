// Looks at the tokens before but not at its own. -> wrong_answer
#include <cuda_bf16.h>
#include <cuda_runtime.h>

typedef __nv_bfloat16 bf16;

__device__ float block_reduce(float v, bool largest) {
    __shared__ float part[128];
    int t = threadIdx.x;
    __syncthreads();
    part[t] = v;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) part[t] = largest ? fmaxf(part[t], part[t + s]) : part[t] + part[t + s];
        __syncthreads();
    }
    return part[0];
}

__global__ void attend(const bf16* Q, const bf16* K, const bf16* V, bf16* output, int N) {
    __shared__ float weights[8192];
    int i = blockIdx.x, t = threadIdx.x, keys = max(i, 1);
    size_t head = (size_t)blockIdx.y * N * 128;
    float m = -INFINITY, sum = 0.0f;
    for (int j = t; j < keys; j += 128) {
        float score = 0.0f;
        for (int c = 0; c < 128; ++c)
            score += __bfloat162float(Q[head + i * 128 + c]) * __bfloat162float(K[head + j * 128 + c]);
        weights[j] = score * rsqrtf(128.0f);
        m = fmaxf(m, weights[j]);
    }
    m = block_reduce(m, true);
    for (int j = t; j < keys; j += 128) sum += weights[j] = expf(weights[j] - m);
    sum = block_reduce(sum, false);
    float out = 0.0f;
    for (int j = 0; j < keys; ++j) out += weights[j] * __bfloat162float(V[head + j * 128 + t]);
    output[head + i * 128 + t] = __float2bfloat16(out / sum);
}

extern "C" void solve(const bf16* Q, const bf16* K, const bf16* V, bf16* output, int B, int H, int N) {
    attend<<<dim3(N, B * H), 128>>>(Q, K, V, output, N);
    cudaDeviceSynchronize();
}
