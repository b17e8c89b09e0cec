// Tensor cores straight from device memory, without shared memory: contraction indices may be in any order, so a lane
// takes 16 bytes of a key as its part of two k-steps, of the queries likewise. A warp multiplies 16 keys by the group's
// queries (of 16 rows, G are used), and the scores, as weights, by 16 values, whose rows are paired by byte_perm.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;
constexpr int D = 128, THREADS = 128, WARPS = THREADS / 32, CHUNKS = D / 8;  // CHUNKS: of 16 bytes, in a row
constexpr int BLOCKS = 2048, ROW = D + 2;  // blocks to aim at; what a part leaves: output, largest score, sum
constexpr float LOWEST = -1e30f;

__device__ void mma(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                 "{%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ unsigned pack(float low, float high) {
    unsigned r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}
__device__ unsigned word(uint4 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }

__global__ void __launch_bounds__(THREADS, 3)
    attend(const bf16* __restrict__ Q, const bf16* __restrict__ K, const bf16* __restrict__ V,
           float* __restrict__ parts, int G, int N, int part, float scale) {
    __shared__ float results[WARPS][16][ROW];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, r = lane / 4, c = lane % 4;
    int first = blockIdx.x * part, last = min(first + part, N);
    const uint4* k = reinterpret_cast<const uint4*>(K + (size_t)blockIdx.y * N * D);
    const uint4* v = reinterpret_cast<const uint4*>(V + (size_t)blockIdx.y * N * D);
    const uint4* q = reinterpret_cast<const uint4*>(Q + (size_t)blockIdx.y * G * D);
    uint4 queries[2][4];  // rows r and r + 8; a missing one repeats the last
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        queries[i / 4][i % 4] = q[min(r + i / 4 * 8, G - 1) * CHUNKS + c + i % 4 * 4];
    }
    float o[16][4] = {}, m[2] = {LOWEST, LOWEST}, l[2] = {};
    for (int step = first + warp * 16; step < last; step += WARPS * 16) {
        uint4 keys[2][4], values[4][2];
#pragma unroll
        for (int i = 0; i < 8; ++i) {  // keys r and r + 8, a quarter of each
            keys[i / 4][i % 4] = __ldcs(k + (size_t)min(step + r + i / 4 * 8, N - 1) * CHUNKS + c + i % 4 * 4);
        }
#pragma unroll
        for (int i = 0; i < 8; ++i) {  // values 2c, 2c + 1, 2c + 8, 2c + 9, an eighth of each
            int j = step + 2 * c + i / 2 % 2 + i / 4 * 8;
            values[i / 2][i % 2] = __ldcs(v + (size_t)min(j, N - 1) * CHUNKS + r + i % 2 * 8);
        }
        float s[2][4] = {};
#pragma unroll
        for (int i = 0; i < 16; ++i) {  // two k-steps from each chunk, eight keys each
            int chunk = i / 4, w = i / 2 % 2 * 2;
            unsigned a[4] = {word(queries[0][chunk], w), word(queries[1][chunk], w), word(queries[0][chunk], w + 1),
                             word(queries[1][chunk], w + 1)};
            mma(s[i % 2], a, word(keys[i % 2][chunk], w), word(keys[i % 2][chunk], w + 1));
        }
        unsigned p[4];
#pragma unroll
        for (int h = 0; h < 2; ++h) {  // queries r and r + 8
            float top = m[h];
            for (int i = 0; i < 4; ++i) {
                float& x = s[i / 2][h * 2 + i % 2];
                x = step + 2 * c + i % 2 + i / 2 * 8 < last ? x * scale : -INFINITY;
                top = fmaxf(top, x);
            }
            top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));
            top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
            float shrink = exp2f(m[h] - top);
            m[h] = top;
            l[h] *= shrink;
            for (int n = 0; n < 32; ++n) {
                o[n / 2][h * 2 + n % 2] *= shrink;
            }
            for (int i = 0; i < 4; ++i) {
                float& x = s[i / 2][h * 2 + i % 2];
                l[h] += x = exp2f(x - top);
            }
            p[h] = pack(s[0][h * 2], s[0][h * 2 + 1]);
            p[h + 2] = pack(s[1][h * 2], s[1][h * 2 + 1]);
        }
#pragma unroll
        for (int n = 0; n < 16; ++n) {  // column r of product n is number 8 r + n % 8 of the lane's half
            unsigned pair[2], order = n % 2 ? 0x7632 : 0x5410;
            for (int h = 0; h < 2; ++h) {
                pair[h] = __byte_perm(word(values[2 * h][n / 8], n % 8 / 2), word(values[2 * h + 1][n / 8], n % 8 / 2),
                                      order);
            }
            mma(o[n], p, pair[0], pair[1]);
        }
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        l[h] += __shfl_xor_sync(0xffffffffu, l[h], 1);
        l[h] += __shfl_xor_sync(0xffffffffu, l[h], 2);
        for (int n = 0; n < 32; ++n) {
            results[warp][r + h * 8][n / 16 * 64 + (2 * c + n % 2) * 8 + n / 2 % 8] = o[n / 2][h * 2 + n % 2];
        }
        results[warp][r + h * 8][D] = m[h];
        results[warp][r + h * 8][D + 1] = l[h];
    }
    __syncthreads();
    for (int g = 0; g < G; ++g) {
        float top = LOWEST, out = 0.0f, sum = 0.0f;
        for (int w = 0; w < WARPS; ++w) {
            top = fmaxf(top, results[w][g][D]);
        }
        for (int w = 0; w < WARPS; ++w) {
            float share = exp2f(results[w][g][D] - top);
            out += share * results[w][g][threadIdx.x];
            sum += share * results[w][g][D + 1];
        }
        float* mine = parts + (((size_t)blockIdx.y * G + g) * gridDim.x + blockIdx.x) * ROW;
        mine[threadIdx.x] = out;
        if (threadIdx.x == 0) {
            mine[D] = top;
            mine[D + 1] = sum;
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
    int queries = B * H * G, wanted = min((N + 255) / 256, (BLOCKS + B * H - 1) / (B * H));
    int part = ((N + wanted - 1) / wanted + 63) / 64 * 64, count = (N + part - 1) / part;
    float* parts;
    cudaMalloc(&parts, (size_t)queries * count * ROW * sizeof(float));
    float scale = 1.44269504f / sqrtf((float)D);  // 2^(x log2 e) is e^x
    attend<<<dim3(count, B * H), THREADS>>>(Q, K, V, parts, G, N, part, scale);
    merge<<<queries, D>>>(parts, output, count);
    cudaDeviceSynchronize();
    cudaFree(parts);
}
