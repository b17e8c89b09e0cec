// Tensor cores: a warp has 32 queries and multiplies 16 x 8 x 16 numbers an instruction. The scores leave mma.sync in
// the layout in which the weights have to enter it again, so they never leave the registers. Tiles come by cp.async,
// the values during the scores and the next keys during the weighing, with their 16-byte chunks at chunk XOR row % 8.
// Tiles above the diagonal are not visited; the longest rows of tiles start first, a few heads at a time.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;
constexpr int D = 128, ROWS = 128, KEYS = 32, THREADS = 128, SECTION = 4;  // SECTION: heads that share the L2
constexpr float LOWEST = -1e30f;

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ int swizzled(int row, int chunk) { return row * 256 + ((chunk ^ (row & 7)) << 4); }

__device__ void copy_rows(char* tile, const bf16* source, int first, int rows, int N) {  // rows beyond N become zeros
    for (int i = threadIdx.x; i < rows * 16; i += THREADS) {
        int row = i / 16, bytes = first + row < N ? 16 : 0;
        unsigned to = shared_address(tile + swizzled(row, i % 16));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                     "l"(source + (size_t)min(first + row, N - 1) * D + i % 16 * 8), "r"(bytes) : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}
__device__ void wait_for_copies() {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
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

__global__ void __launch_bounds__(THREADS, 2) attend(const bf16* Q, const bf16* K, const bf16* V, bf16* output,
                                                     int heads, int N, float scale) {
    extern __shared__ __align__(256) char shared[];
    char *q_tile = shared, *k_tile = q_tile + ROWS * 256, *v_tile = k_tile + KEYS * 256;
    int tiles = (N + ROWS - 1) / ROWS, section = blockIdx.x / (SECTION * tiles), at = blockIdx.x % (SECTION * tiles);
    int wide = min(SECTION, heads - section * SECTION), first = (tiles - 1 - at / wide) * ROWS;
    size_t head = (size_t)(section * SECTION + at % wide) * N * D;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, steps = (min(first + ROWS, N) + KEYS - 1) / KEYS;
    copy_rows(q_tile, Q + head, first, ROWS, N);
    copy_rows(k_tile, K + head, (steps - 1) * KEYS, KEYS, N);
    // Chunk 2k + h of a lane's row is at its chunk h, the address XOR 32 k: tiles start at multiples of 256.
    unsigned q_lane = shared_address(q_tile) + swizzled(warp * 32 + lane % 16, lane / 16);
    unsigned k_lane = shared_address(k_tile) + swizzled(lane / 16 * 8 + lane % 8, lane / 8 % 2);
    unsigned v_lane = shared_address(v_tile) + swizzled(lane % 16, lane / 16);
    float o[2][16][4] = {}, m[4] = {LOWEST, LOWEST, LOWEST, LOWEST}, l[4] = {};  // of four rows, 8 apart
    for (int step = steps - 1; step >= 0; --step) {
        wait_for_copies();  // the keys are there
        copy_rows(v_tile, V + head, step * KEYS, KEYS, N);
        float s[2][KEYS / 8][4] = {};
#pragma unroll
        for (int k = 0; k < D / 16; ++k) {
            unsigned q[2][4], b[4];
            load_matrices<false>(q[0], q_lane ^ k << 5);
            load_matrices<false>(q[1], (q_lane ^ k << 5) + 16 * 256);
#pragma unroll
            for (int n = 0; n < KEYS / 8; n += 2) {
                load_matrices<false>(b, (k_lane ^ k << 5) + n * 8 * 256);
                for (int t = 0; t < 2; ++t) {
                    mma(s[t][n], q[t], b[0], b[1]);
                    mma(s[t][n + 1], q[t], b[2], b[3]);
                }
            }
        }
        wait_for_copies();  // the values are there, and nobody reads these keys any more
        if (step > 0) {
            copy_rows(k_tile, K + head, (step - 1) * KEYS, KEYS, N);
        }
        if ((step + 1) * KEYS > first) {  // the diagonal passes through
#pragma unroll
            for (int i = 0; i < 2 * KEYS; ++i) {
                int row = first + warp * 32 + i / KEYS * 16 + i / 2 % 2 * 8 + lane / 4;
                float& x = s[i / KEYS][i / 4 % (KEYS / 8)][i % 4];
                x = step * KEYS + i / 4 % (KEYS / 8) * 8 + lane % 4 * 2 + i % 2 <= row ? x : -INFINITY;
            }
        }
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            float top = m[r];
            for (int i = 0; i < KEYS / 4; ++i) {
                top = fmaxf(top, s[r / 2][i / 2][r % 2 * 2 + i % 2]);
            }
            top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));  // a row's scores are in four lanes
            top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
            float shrink = exp2f((m[r] - top) * scale), shift = top * scale;
            m[r] = top;
            l[r] *= shrink;
            for (int i = 0; i < 32; ++i) {
                o[r / 2][i / 2][r % 2 * 2 + i % 2] *= shrink;
            }
            for (int i = 0; i < KEYS / 4; ++i) {
                float& x = s[r / 2][i / 2][r % 2 * 2 + i % 2];
                l[r] += x = exp2f(x * scale - shift);
            }
        }
#pragma unroll
        for (int k = 0; k < KEYS / 16; ++k) {
            unsigned p[2][4], b[4];
            for (int i = 0; i < 8; ++i) {
                float* x = &s[i / 4][2 * k + i % 4 / 2][i % 2 * 2];
                p[i / 4][i % 4] = pack(x[0], x[1]);
            }
#pragma unroll
            for (int n = 0; n < 16; n += 2) {
                load_matrices<true>(b, (v_lane ^ n << 4) + k * 16 * 256);
                for (int t = 0; t < 2; ++t) {
                    mma(o[t][n], p[t], b[0], b[1]);
                    mma(o[t][n + 1], p[t], b[2], b[3]);
                }
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        int row = first + warp * 32 + r * 8 + lane / 4;
        l[r] += __shfl_xor_sync(0xffffffffu, l[r], 1);
        l[r] += __shfl_xor_sync(0xffffffffu, l[r], 2);
        for (int n = 0; n < 16 && row < N; ++n) {
            unsigned two = pack(o[r / 2][n][r % 2 * 2] / l[r], o[r / 2][n][r % 2 * 2 + 1] / l[r]);
            reinterpret_cast<unsigned*>(output + head + (size_t)row * D)[n * 4 + lane % 4] = two;
        }
    }
}

extern "C" void solve(const bf16* Q, const bf16* K, const bf16* V, bf16* output, int B, int H, int N) {
    int bytes = (ROWS + 2 * KEYS) * 256, blocks = B * H * ((N + ROWS - 1) / ROWS);
    cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    attend<<<blocks, THREADS, bytes>>>(Q, K, V, output, B * H, N, 1.44269504f / sqrtf((float)D));  // for exp2
    cudaDeviceSynchronize();
}
