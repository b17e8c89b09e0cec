// The tokens of a head are split into parts, a block each, so that there is work for every multiprocessor; a second
// kernel merges the parts. Sixteen lanes with 16 bytes each hold a key and reduce its score by shuffle; each keeps a
// softmax of its own keys up to date. Still a block per query: the group reads its keys G times, from L2 at best.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;
constexpr int D = 128, THREADS = 128, WARPS = THREADS / 32, LANES = 16;  // LANES: to a key, 8 numbers each
constexpr int QUERIES = 1, AHEAD = 1;                                      // of a block; keys requested at once
constexpr int PART = 512, ROW = D + 2;  // tokens of a block; what a part leaves: output, largest score, sum
constexpr float LOWEST = -1e30f;

__device__ void widen(float (&to)[8], uint4 raw) {  // a bfloat16 is the upper half of a float
    unsigned words[4] = {raw.x, raw.y, raw.z, raw.w};
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        to[i] = __uint_as_float(i % 2 ? words[i / 2] & 0xffff0000u : words[i / 2] << 16);
    }
}

// The parts of QUERIES queries, by the half-warps of a block: their results meet in shared memory.
__global__ void attend(const bf16* __restrict__ Q, const bf16* __restrict__ K, const bf16* __restrict__ V,
                       float* __restrict__ parts, int G, int N, float scale) {
    __shared__ float results[2 * WARPS][QUERIES][ROW];
    int lane = threadIdx.x % LANES, half = threadIdx.x / LANES, first = blockIdx.x * PART, g0 = blockIdx.z * QUERIES;
    int last = min(first + PART, N);
    const uint4* k = reinterpret_cast<const uint4*>(K + (size_t)blockIdx.y * N * D) + lane;  // 16 uint4 a row
    const uint4* v = reinterpret_cast<const uint4*>(V + (size_t)blockIdx.y * N * D) + lane;
    float q[QUERIES][8], o[QUERIES][8] = {}, m[QUERIES], l[QUERIES] = {};
#pragma unroll
    for (int g = 0; g < QUERIES; ++g) {
        int query = blockIdx.y * G + min(g0 + g, G - 1);  // a group that is no multiple repeats its last one
        widen(q[g], reinterpret_cast<const uint4*>(Q)[(size_t)query * LANES + lane]);
        m[g] = LOWEST;
    }
    for (int step = first; step < last; step += 2 * WARPS * AHEAD) {
        uint4 keys[AHEAD], values[AHEAD];
#pragma unroll
        for (int a = 0; a < AHEAD; ++a) {
            int j = min(step + half + a * 2 * WARPS, N - 1);
            keys[a] = __ldcs(k + (size_t)j * LANES);
            values[a] = __ldcs(v + (size_t)j * LANES);
        }
        float s[QUERIES][AHEAD];
#pragma unroll
        for (int a = 0; a < AHEAD; ++a) {
            float x[8];
            widen(x, keys[a]);
#pragma unroll
            for (int g = 0; g < QUERIES; ++g) {
                float dot = 0.0f;
#pragma unroll
                for (int c = 0; c < 8; ++c) {
                    dot += q[g][c] * x[c];
                }
                for (int offset = LANES / 2; offset > 0; offset /= 2) {
                    dot += __shfl_xor_sync(0xffffffffu, dot, offset);
                }
                s[g][a] = step + half + a * 2 * WARPS < last ? dot * scale : -INFINITY;
            }
        }
#pragma unroll
        for (int g = 0; g < QUERIES; ++g) {
            float top = m[g];
            for (int a = 0; a < AHEAD; ++a) {
                top = fmaxf(top, s[g][a]);
            }
            float shrink = exp2f(m[g] - top);
            m[g] = top;
            l[g] *= shrink;
            for (int c = 0; c < 8; ++c) {
                o[g][c] *= shrink;
            }
            for (int a = 0; a < AHEAD; ++a) {
                l[g] += s[g][a] = exp2f(s[g][a] - top);
            }
        }
#pragma unroll
        for (int a = 0; a < AHEAD; ++a) {
            float x[8];
            widen(x, values[a]);
#pragma unroll
            for (int i = 0; i < 8 * QUERIES; ++i) {
                o[i / 8][i % 8] += s[i / 8][a] * x[i % 8];
            }
        }
    }
#pragma unroll
    for (int g = 0; g < QUERIES; ++g) {
        for (int c = 0; c < 8; ++c) {
            results[half][g][lane * 8 + c] = o[g][c];
        }
        if (lane == 0) {
            results[half][g][D] = m[g];
            results[half][g][D + 1] = l[g];
        }
    }
    __syncthreads();
    for (int g = 0; g < QUERIES && g0 + g < G; ++g) {
        float top = LOWEST, out = 0.0f, sum = 0.0f;
        for (int h = 0; h < 2 * WARPS; ++h) {
            top = fmaxf(top, results[h][g][D]);
        }
        for (int h = 0; h < 2 * WARPS; ++h) {
            float share = exp2f(results[h][g][D] - top);
            out += share * results[h][g][threadIdx.x];
            sum += share * results[h][g][D + 1];
        }
        float* part = parts + (((size_t)blockIdx.y * G + g0 + g) * gridDim.x + blockIdx.x) * ROW;
        part[threadIdx.x] = out;
        if (threadIdx.x == 0) {
            part[D] = top;
            part[D + 1] = sum;
        }
    }
}

__global__ void merge(const float* parts, bf16* output, int count) {
    const float* mine = parts + (size_t)blockIdx.x * count * ROW;
    float top = LOWEST, out = 0.0f, sum = 0.0f;
    for (int p = 0; p < count; ++p) {
        top = fmaxf(top, mine[p * ROW + D]);
    }
    for (int p = 0; p < count; ++p) {
        float share = exp2f(mine[p * ROW + D] - top);
        out += share * mine[p * ROW + threadIdx.x];
        sum += share * mine[p * ROW + D + 1];
    }
    output[(size_t)blockIdx.x * D + threadIdx.x] = __float2bfloat16(out / sum);
}

extern "C" void solve(const bf16* Q, const bf16* K, const bf16* V, bf16* output, int B, int H, int G, int N) {
    int count = (N + PART - 1) / PART, queries = B * H * G;
    float* parts;
    cudaMalloc(&parts, (size_t)queries * count * ROW * sizeof(float));
    float scale = 1.44269504f / sqrtf((float)D);  // 2^(x log2 e) is e^x
    attend<<<dim3(count, B * H, (G + QUERIES - 1) / QUERIES), THREADS>>>(Q, K, V, parts, G, N, scale);
    merge<<<queries, D>>>(parts, output, count);
    cudaDeviceSynchronize();
    cudaFree(parts);
}
