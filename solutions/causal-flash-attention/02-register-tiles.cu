// 64 queries walk over tiles of 64 keys and keep maximum, sum and output up to date: keys are read once per 64
// queries, and no query needs all its scores at once. A thread makes 4 x 4 scores and 4 x 8 outputs, by float4 from
// shared memory. Tiles above the diagonal are not visited. All on the ordinary cores, in single precision.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;
constexpr int D = 128, T = 64, SIDE = 16, STEP = 4, THREADS = SIDE * SIDE;  // STEP: scores per thread and side
constexpr int PITCH = D + 4;                                                // an odd number of float4
constexpr float LOWEST = -3.402823466e38f;

__device__ float part(const float4& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }
__device__ float dot(float sum, const float4& a, const float4& b) {
    return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, sum))));
}
__device__ void weigh(float4& o, float w, const float4& v) {
    o = make_float4(o.x + w * v.x, o.y + w * v.y, o.z + w * v.z, o.w + w * v.w);
}
__device__ const float4& quad(const float* p) { return *reinterpret_cast<const float4*>(p); }

__device__ void load(float* tile, const bf16* rows, int first, int N) {  // 8 numbers at a time; zeros beyond N
#pragma unroll
    for (int i = threadIdx.x; i < T * D / 8; i += THREADS) {
        int row = i / (D / 8), c = i % (D / 8) * 8;
        uint4 raw = make_uint4(0, 0, 0, 0);
        if (first + row < N) {
            raw = *reinterpret_cast<const uint4*>(rows + (size_t)(first + row) * D + c);
        }
        float4* to = reinterpret_cast<float4*>(tile + row * PITCH + c);  // a bfloat16 is the upper half of a float
        to[0] = make_float4(__uint_as_float(raw.x << 16), __uint_as_float(raw.x & 0xffff0000u),
                            __uint_as_float(raw.y << 16), __uint_as_float(raw.y & 0xffff0000u));
        to[1] = make_float4(__uint_as_float(raw.z << 16), __uint_as_float(raw.z & 0xffff0000u),
                            __uint_as_float(raw.w << 16), __uint_as_float(raw.w & 0xffff0000u));
    }
}

__global__ void __launch_bounds__(THREADS, 2)
    attend(const bf16* __restrict__ Q, const bf16* __restrict__ K, const bf16* __restrict__ V,
           bf16* __restrict__ output, int N, float scale) {
    extern __shared__ float4 shared[];
    float *q = reinterpret_cast<float*>(shared), *kv = q + T * PITCH, *weights = kv + T * PITCH;
    int lane = threadIdx.x % 32, first = blockIdx.x * T;
    int tx = lane / 2, ty = threadIdx.x / 32 * 2 + lane % 2;  // alternating: 128-bit loads of neighbours merge
    size_t head = (size_t)blockIdx.y * N * D;
    load(q, Q + head, first, N);
    float4 out[STEP][2] = {};
    float m[STEP] = {LOWEST, LOWEST, LOWEST, LOWEST}, l[STEP] = {};
    for (int keys = 0; keys <= first; keys += T) {
        __syncthreads();  // the last values have been used
        load(kv, K + head, keys, N);
        __syncthreads();
        float s[STEP][STEP] = {};  // of queries 4 ty + i and keys tx + 16 j
#pragma unroll 4
        for (int c = 0; c < D; c += 4) {
            float4 a[STEP], b[STEP];
#pragma unroll
            for (int i = 0; i < STEP; ++i) {
                a[i] = quad(q + (STEP * ty + i) * PITCH + c);
                b[i] = quad(kv + (tx + SIDE * i) * PITCH + c);
            }
#pragma unroll
            for (int i = 0; i < STEP * STEP; ++i) {
                s[i / STEP][i % STEP] = dot(s[i / STEP][i % STEP], a[i / STEP], b[i % STEP]);
            }
        }
        __syncthreads();  // the keys have been used
        load(kv, V + head, keys, N);
#pragma unroll
        for (int i = 0; i < STEP; ++i) {
            float larger = m[i];
#pragma unroll
            for (int j = 0; j < STEP; ++j) {
                s[i][j] = keys + tx + SIDE * j <= first + STEP * ty + i ? s[i][j] * scale : LOWEST;
                larger = fmaxf(larger, s[i][j]);
            }
            for (int offset = 16; offset > 1; offset /= 2) {
                larger = fmaxf(larger, __shfl_xor_sync(0xffffffffu, larger, offset));
            }
            float shrink = exp2f(m[i] - larger);
            m[i] = larger;
            l[i] *= shrink;
            for (int g = 0; g < 2; ++g) {
                float4 o = out[i][g];
                out[i][g] = make_float4(o.x * shrink, o.y * shrink, o.z * shrink, o.w * shrink);
            }
#pragma unroll
            for (int j = 0; j < STEP; ++j) {
                float weight = exp2f(s[i][j] - larger);
                l[i] += weight;
                weights[(STEP * ty + i) * (T + 4) + tx + SIDE * j] = weight;
            }
        }
        __syncthreads();  // the values are there, and so are the weights
        for (int j = 0; j < T; j += 4) {
            float4 w[STEP];
#pragma unroll
            for (int i = 0; i < STEP; ++i) {
                w[i] = quad(weights + (STEP * ty + i) * (T + 4) + j);
            }
#pragma unroll
            for (int e = 0; e < 8 * STEP; ++e) {
                int i = e % STEP, g = e / STEP % 2, from = e / STEP / 2;
                weigh(out[i][g], part(w[i], from), quad(kv + (j + from) * PITCH + g * T + 4 * tx));
            }
        }
    }
#pragma unroll
    for (int i = 0; i < STEP; ++i) {
        for (int offset = 16; offset > 1; offset /= 2) {
            l[i] += __shfl_xor_sync(0xffffffffu, l[i], offset);
        }
        int row = first + STEP * ty + i;
        bf16* to = output + head + (size_t)row * D + 4 * tx;
        for (int e = 0; e < 8 && row < N; ++e) {
            to[e / 4 * T + e % 4] = __float2bfloat16(part(out[i][e / 4], e % 4) / l[i]);
        }
    }
}

extern "C" void solve(const bf16* Q, const bf16* K, const bf16* V, bf16* output, int B, int H, int N) {
    int bytes = (2 * T * PITCH + T * (T + 4)) * (int)sizeof(float);
    cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    float scale = 1.44269504f / sqrtf((float)D);  // 2^(x log2 e) is e^x
    attend<<<dim3((N + T - 1) / T, B * H), THREADS, bytes>>>(Q, K, V, output, N, scale);
    cudaDeviceSynchronize();
}
