// Parts are rounded down, and the last tokens belong to none. -> wrong_answer
#include <cuda_bf16.h>
#include <cuda_runtime.h>

typedef __nv_bfloat16 bf16;
#define PARTS 4

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

__global__ void attend(const bf16* Q, const bf16* K, const bf16* V, float* parts, int G, int N) {
    __shared__ float weights[8192];
    int t = threadIdx.x, each = max(N / PARTS, 1), first = blockIdx.z * each, keys = min(each, N - first);
    const bf16 *q = Q + (blockIdx.y * G + blockIdx.x) * 128, *k = K + (size_t)(blockIdx.y * N + first) * 128;
    const bf16* v = V + (size_t)(blockIdx.y * N + first) * 128;
    float m = -1e30f, sum = 0.0f;
    for (int j = t; j < keys; j += 128) {
        float score = 0.0f;
        for (int c = 0; c < 128; ++c) score += __bfloat162float(q[c]) * __bfloat162float(k[j * 128 + c]);
        weights[j] = score * rsqrtf(128.0f);
        m = fmaxf(m, weights[j]);
    }
    m = reduce(m, true);
    for (int j = t; j < keys; j += 128) sum += weights[j] = expf(weights[j] - m);
    sum = reduce(sum, false);
    float out = 0.0f;
    for (int j = 0; j < keys; ++j) out += weights[j] * __bfloat162float(v[j * 128 + t]);
    float* part = parts + ((blockIdx.y * G + blockIdx.x) * PARTS + blockIdx.z) * 130;
    part[t] = out;
    if (t == 0) {
        part[128] = m;
        part[129] = sum;
    }
}

__global__ void merge(const float* parts, bf16* output) {
    const float* mine = parts + blockIdx.x * PARTS * 130;
    float m = -1e30f, out = 0.0f, sum = 0.0f;
    for (int p = 0; p < PARTS; ++p) m = fmaxf(m, mine[p * 130 + 128]);
    for (int p = 0; p < PARTS; ++p) {
        float share = expf(mine[p * 130 + 128] - m);
        out += share * mine[p * 130 + threadIdx.x];
        sum += share * mine[p * 130 + 129];
    }
    output[blockIdx.x * 128 + threadIdx.x] = __float2bfloat16(out / sum);
}

extern "C" void solve(const bf16* Q, const bf16* K, const bf16* V, bf16* output, int B, int H, int G, int N) {
    float* parts;
    cudaMalloc(&parts, B * H * G * PARTS * 130 * sizeof(float));
    attend<<<dim3(G, B * H, PARTS), 128>>>(Q, K, V, parts, G, N);
    merge<<<B * H * G, 128>>>(parts, output);
    cudaDeviceSynchronize();
    cudaFree(parts);
}
