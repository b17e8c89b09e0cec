// 64 queries against tiles of 64 keys; a thread makes 4 x 4 scores and keeps 4 rows of output in registers. For
// sixteen multiply-adds it reads two float4, where one score a thread would take 32 words. Rows in shared memory
// are padded by four floats, so that eight lanes that read float4 of eight rows meet eight different bank groups.
#include <cuda_runtime.h>

constexpr int T = 64, SIDE = 16, STEP = 4, THREADS = SIDE * SIDE;  // STEP: scores per thread and side
constexpr int GROUPS = 2;                                          // of 64 output columns
constexpr float LOWEST = -3.402823466e38f;

__device__ float part(const float4& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }
__device__ float dot(float sum, const float4& a, const float4& b) {
    return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, sum))));
}
__device__ void weigh(float4& o, float w, const float4& v) {
    o = make_float4(o.x + w * v.x, o.y + w * v.y, o.z + w * v.z, o.w + w * v.w);
}
__device__ const float4& quad(const float* p) { return *reinterpret_cast<const float4*>(p); }

__device__ void load(float* tile, int pitch, const float* rows, int first, int count, int d) {  // zeros beyond
    constexpr int WARPS = THREADS / 32, EACH = T / WARPS;  // a warp copies eight rows at once
    int warp = threadIdx.x / 32;
    for (int c = threadIdx.x % 32; c < pitch - 4; c += 32) {
        float v[EACH];
#pragma unroll
        for (int i = 0; i < EACH; ++i) {
            int row = first + warp + i * WARPS;
            v[i] = row < count && c < d ? rows[(size_t)row * d + c] : 0.0f;
        }
#pragma unroll
        for (int i = 0; i < EACH; ++i) {
            tile[(warp + i * WARPS) * pitch + c] = v[i];
        }
    }
}

__global__ void __launch_bounds__(THREADS, 2)
    attend(const float* __restrict__ Q, const float* __restrict__ K, const float* __restrict__ V,
           float* __restrict__ output, int M, int N, int d, int pitch) {
    extern __shared__ float4 shared[];
    float *q = reinterpret_cast<float*>(shared), *kv = q + T * pitch, *weights = kv + T * pitch;
    int tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE, first = blockIdx.x * T;
    float scale = 1.44269504f / sqrtf((float)d);  // 2^(x log2 e) is e^x
    load(q, pitch, Q, first, M, d);
    float4 out[STEP][GROUPS] = {};
    float m[STEP] = {LOWEST, LOWEST, LOWEST, LOWEST}, l[STEP] = {};
    for (int keys = 0; keys < N; keys += T) {
        __syncthreads();  // the last values have been used
        load(kv, pitch, K, keys, N, d);
        __syncthreads();
        float s[STEP][STEP] = {};  // of queries 4 ty + i and keys tx + 16 j
        for (int c = 0; c < pitch - 4; c += 4) {
            float4 a[STEP], b[STEP];
#pragma unroll
            for (int i = 0; i < STEP; ++i) {
                a[i] = quad(q + (STEP * ty + i) * pitch + c);
                b[i] = quad(kv + (tx + SIDE * i) * pitch + c);
            }
#pragma unroll
            for (int i = 0; i < STEP * STEP; ++i) {
                s[i / STEP][i % STEP] = dot(s[i / STEP][i % STEP], a[i / STEP], b[i % STEP]);
            }
        }
        __syncthreads();  // the keys have been used
        load(kv, pitch, V, keys, N, d);
#pragma unroll
        for (int i = 0; i < STEP; ++i) {
            float larger = m[i];
#pragma unroll
            for (int j = 0; j < STEP; ++j) {
                s[i][j] = keys + tx + SIDE * j < N ? s[i][j] * scale : LOWEST;
                larger = fmaxf(larger, s[i][j]);
            }
            for (int offset = 8; offset > 0; offset /= 2) {
                larger = fmaxf(larger, __shfl_xor_sync(0xffffffffu, larger, offset));
            }
            float shrink = exp2f(m[i] - larger);
            m[i] = larger;
            l[i] *= shrink;
            for (int g = 0; g < GROUPS; ++g) {
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
            for (int g = 0; g < GROUPS; ++g) {
                if (g * T + 4 * tx < pitch - 4) {
#pragma unroll
                    for (int e = 0; e < 4 * STEP; ++e) {
                        const float4& v = quad(kv + (j + e / STEP) * pitch + g * T + 4 * tx);
                        weigh(out[e % STEP][g], part(w[e % STEP], e / STEP), v);
                    }
                }
            }
        }
    }
#pragma unroll
    for (int i = 0; i < STEP; ++i) {
        for (int offset = 8; offset > 0; offset /= 2) {
            l[i] += __shfl_xor_sync(0xffffffffu, l[i], offset);
        }
        int row = first + STEP * ty + i;
#pragma unroll
        for (int e = 0; e < 4 * GROUPS; ++e) {
            int c = e / 4 * T + 4 * tx + e % 4;
            if (row < M && c < d) {
                output[(size_t)row * d + c] = part(out[i][e / 4], e % 4) / l[i];
            }
        }
    }
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    int pitch = (d + 7) / 8 * 8 + 4;  // an odd number of float4
    int bytes = (2 * T * pitch + T * (T + 4)) * (int)sizeof(float);
    cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    attend<<<(M + T - 1) / T, THREADS, bytes>>>(Q, K, V, output, M, N, d, pitch);
    cudaDeviceSynchronize();
}
