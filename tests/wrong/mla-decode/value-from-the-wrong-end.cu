// Takes the last 512 numbers for the value. -> wrong_answer
#include <cuda_bf16.h>
#include <cuda_runtime.h>

typedef __nv_bfloat16 bf16;

__device__ float reduce(float v, bool largest) {
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

__global__ void attend(const bf16* Q, const bf16* C, bf16* output, int H, int N, float scale) {
    __shared__ float weights[8192];
    int t = threadIdx.x, head = blockIdx.y * H + blockIdx.x;
    const bf16 *q = Q + head * 576, *cache = C + (size_t)blockIdx.y * N * 576;
    float m = -1e30f, sum = 0.0f;
    for (int j = t; j < N; j += 128) {
        float score = 0.0f;
        for (int c = 0; c < 576; ++c) score += __bfloat162float(q[c]) * __bfloat162float(cache[j * 576 + c]);
        weights[j] = score * scale;
        m = fmaxf(m, weights[j]);
    }
    m = reduce(m, true);
    for (int j = t; j < N; j += 128) sum += weights[j] = expf(weights[j] - m);
    sum = reduce(sum, false);
    for (int c = t; c < 512; c += 128) {
        float out = 0.0f;
        for (int j = 0; j < N; ++j) out += weights[j] * __bfloat162float(cache[j * 576 + 64 + c]);
        output[head * 512 + c] = __float2bfloat16(out / sum);
    }
}

extern "C" void solve(const bf16* Q, const bf16* C, bf16* output, int B, int H, int N, float scale) {
    attend<<<dim3(H, B), 128>>>(Q, C, output, H, N, scale);
    cudaDeviceSynchronize();
}
