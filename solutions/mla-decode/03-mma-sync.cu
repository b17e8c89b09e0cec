// Tensor cores: a block has 64 heads, whose queries stay in shared memory, and takes tiles of 64 tokens, twice in
// flight by cp.async. Each tile is used as keys by ldmatrix and as values by ldmatrix.trans. For the scores a warp has
// 16 heads and 32 tokens, for the output all heads and 64 columns, so maxima and weights go through shared memory.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;
constexpr int KEY = 576, VALUE = 512, T = 64, THREADS = 256, PITCH = KEY * 2, TILE = T * PITCH;  // bytes
constexpr int ROW = VALUE + 2, BLOCKS = 132;  // what a part leaves: output, largest score, sum; blocks to aim at
constexpr float LOWEST = -1e30f;

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void copy_rows(char* tile, const bf16* rows, int first, int count) {  // chunk c at c XOR row % 8
    for (int i = threadIdx.x; i < T * KEY / 8; i += THREADS) {
        int row = i / (KEY / 8), c = i % (KEY / 8), bytes = first + row < count ? 16 : 0;
        unsigned to = shared_address(tile + row * PITCH + ((c ^ (row & 7)) << 4));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                     "l"(rows + (size_t)min(first + row, count - 1) * KEY + c * 8), "r"(bytes) : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}
template <bool TRANSPOSED>
__device__ void load_matrices(unsigned (&r)[4], unsigned address) {
    if (TRANSPOSED) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
    }
}
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

struct Exchange {  // between warps, for each head
    char weights[T * 128];
    float top[2][T], shrink[T], sum[2][T];
};

__global__ void __launch_bounds__(THREADS, 1) attend(const bf16* Q, const bf16* C, float* parts, int H, int N,
                                                     int part, float scale) {
    extern __shared__ __align__(128) char shared[];
    char *q_tile = shared, *tiles = shared + TILE;
    Exchange* x = reinterpret_cast<Exchange*>(shared + 3 * TILE);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, heads = warp % 4 * 16, side = warp / 4;
    int first = blockIdx.x * part, last = min(first + part, N), row = heads + lane / 4;
    const bf16* cache = C + (size_t)blockIdx.z * N * KEY;
    copy_rows(q_tile, Q + (size_t)blockIdx.z * H * KEY, blockIdx.y * T, H);
    copy_rows(tiles, cache, first, last);
    // Chunk c of a lane's row is c / 8 * 128 bytes on, at its address XOR c % 8 * 16.
    unsigned swizzle = lane & 7;
    unsigned q_lane = shared_address(q_tile) + (heads + lane % 16) * PITCH + ((lane / 16 ^ swizzle) << 4);
    unsigned k_lane = (side * 32 + lane / 16 * 8 + lane % 8) * PITCH + ((lane / 8 % 2 ^ swizzle) << 4);
    unsigned v_lane = lane % 16 * PITCH + warp * 128 + ((lane / 16 ^ swizzle) << 4);
    unsigned w_lane = shared_address(x->weights) + lane % 16 * 128 + ((lane / 16 ^ swizzle) << 4);
    float o[4][8][4] = {}, m[2] = {LOWEST, LOWEST}, l[2] = {};
    for (int at = first, stage = 0; at < last; at += T, stage ^= 1) {
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();  // this tile is there, and nobody uses the other any more
        if (at + T < last) {
            copy_rows(tiles + (stage ^ 1) * TILE, cache, at + T, last);
        }
        unsigned tile = shared_address(tiles + stage * TILE);
        float s[4][4] = {};
#pragma unroll 4
        for (int k = 0; k < KEY / 16; ++k) {
            unsigned a[4], b[4], on = k / 4 * 128, turn = k % 4 << 5;
            load_matrices<false>(a, (q_lane ^ turn) + on);
            for (int n = 0; n < 4; n += 2) {
                load_matrices<false>(b, (tile + k_lane ^ turn) + on + n * 8 * PITCH);
                mma(s[n], a, b[0], b[1]);
                mma(s[n + 1], a, b[2], b[3]);
            }
        }
        float top[2] = {m[0], m[1]};
        for (int i = 0; i < 16; ++i) {
            float& score = s[i / 4][i % 4];
            score = at + side * 32 + i / 4 * 8 + lane % 4 * 2 + i % 2 < last ? score * scale : -INFINITY;
            top[i / 2 % 2] = fmaxf(top[i / 2 % 2], score);
        }
        for (int h = 0; h < 2; ++h) {
            top[h] = fmaxf(top[h], __shfl_xor_sync(0xffffffffu, top[h], 1));
            top[h] = fmaxf(top[h], __shfl_xor_sync(0xffffffffu, top[h], 2));
            x->top[side][row + h * 8] = top[h];
        }
        __syncthreads();
        for (int h = 0; h < 2; ++h) {
            top[h] = fmaxf(x->top[0][row + h * 8], x->top[1][row + h * 8]);
            float shrink = exp2f(m[h] - top[h]);
            x->shrink[row + h * 8] = shrink;  // both sides write the same
            m[h] = top[h];
            l[h] *= shrink;
            for (int n = 0; n < 4; ++n) {
                float w0 = exp2f(s[n][h * 2] - top[h]), w1 = exp2f(s[n][h * 2 + 1] - top[h]);
                l[h] += w0 + w1;
                char* to = x->weights + (row + h * 8) * 128 + ((side * 4 + n) ^ (row & 7)) * 16 + lane % 4 * 4;
                *reinterpret_cast<unsigned*>(to) = pack(w0, w1);
            }
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 128; ++i) {
            o[i / 32][i / 4 % 8][i % 4] *= x->shrink[i / 32 * 16 + i / 2 % 2 * 8 + lane / 4];
        }
        for (int k = 0; k < T / 16; ++k) {
            unsigned a[4][4], b[4];
#pragma unroll
            for (int t = 0; t < 4; ++t) {
                load_matrices<false>(a[t], (w_lane ^ k << 5) + t * 16 * 128);
            }
#pragma unroll
            for (int n = 0; n < 8; n += 2) {
                load_matrices<true>(b, (tile + v_lane ^ n << 4) + k * 16 * PITCH);
                for (int t = 0; t < 4; ++t) {
                    mma(o[t][n], a[t], b[0], b[1]);
                    mma(o[t][n + 1], a[t], b[2], b[3]);
                }
            }
        }
    }
    for (int h = 0; h < 2; ++h) {
        l[h] += __shfl_xor_sync(0xffffffffu, l[h], 1);
        x->sum[side][row + h * 8] = l[h] + __shfl_xor_sync(0xffffffffu, l[h], 2);
        x->top[0][row + h * 8] = m[h];  // the same on both sides
    }
    __syncthreads();
    float* mine = parts + (((size_t)blockIdx.z * H + blockIdx.y * T) * gridDim.x + blockIdx.x) * ROW;
    int stride = gridDim.x * ROW, here = min(T, H - (int)blockIdx.y * T);  // heads of this block
    if (threadIdx.x < here) {
        mine[threadIdx.x * stride + VALUE] = x->top[0][threadIdx.x];
        mine[threadIdx.x * stride + VALUE + 1] = x->sum[0][threadIdx.x] + x->sum[1][threadIdx.x];
    }
#pragma unroll
    for (int i = 0; i < 64; ++i) {
        int h = i / 16 * 16 + i % 2 * 8 + lane / 4, column = warp * 64 + i / 2 % 8 * 8 + lane % 4 * 2;
        if (h < here) {
            float* two = o[i / 16][i / 2 % 8] + i % 2 * 2;
            *reinterpret_cast<float2*>(mine + h * stride + column) = make_float2(two[0], two[1]);
        }
    }
}

__global__ void merge(const float* parts, bf16* output, int count) {
    const float* mine = parts + (size_t)blockIdx.x * count * ROW;
    float top = LOWEST, out = 0.0f, sum = 0.0f;
    for (int p = 0; p < count; ++p) {
        top = fmaxf(top, mine[p * ROW + VALUE]);
    }
    for (int p = 0; p < count; ++p) {
        float share = exp2f(mine[p * ROW + VALUE] - top);
        out += share * mine[p * ROW + threadIdx.x];
        sum += share * mine[p * ROW + VALUE + 1];
    }
    output[(size_t)blockIdx.x * VALUE + threadIdx.x] = __float2bfloat16(out / sum);
}

extern "C" void solve(const bf16* Q, const bf16* C, bf16* output, int B, int H, int N, float scale) {
    int groups = B * ((H + T - 1) / T), tiles = (N + T - 1) / T, split = max(1, min(tiles, BLOCKS / groups));
    int part = (tiles + split - 1) / split * T, count = (N + part - 1) / part, bytes = 3 * TILE + (int)sizeof(Exchange);
    float* parts;
    cudaMalloc(&parts, (size_t)B * H * count * ROW * sizeof(float));
    cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    attend<<<dim3(count, groups / B, B), THREADS, bytes>>>(Q, C, parts, H, N, part, scale * 1.44269504f);  // for exp2
    merge<<<B * H, VALUE>>>(parts, output, count);
    cudaDeviceSynchronize();
    cudaFree(parts);
}
