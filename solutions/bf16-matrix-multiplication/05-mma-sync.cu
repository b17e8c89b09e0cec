// mma.sync m16n8k16 on 64x64 of C per warp. ldmatrix feeds the fragments from swizzled tiles, one step ahead
// of the arithmetic; cp.async keeps five more tiles on their way. As far as an Ampere-style kernel gets.
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int BM = 128, BN = 256, BK = 32, STAGES = 6;  // a block's tile of C, the step along K, tiles in flight
constexpr int WM = 64, WN = 64, THREADS = 256;          // eight warps, two by four
constexpr int A_BYTES = BM * BK * 2, STAGE_BYTES = A_BYTES + BK * BN * 2;
constexpr int GROUP = 8;  // rows of tiles that are walked together, so that their part of B stays in L2

// Byte offsets of 16-byte chunks in the tiles; exchanged within a row, so that eight rows lie in eight banks.
__device__ int a_place(int row, int chunk) { return row * BK * 2 + (chunk ^ row / 2 % 4) * 16; }
__device__ int b_place(int row, int chunk) { return row * BN * 2 + (chunk ^ row % 8) * 16; }

__device__ void copy_async(uint32_t to, const __nv_bfloat16* from) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

__device__ void ldmatrix(uint32_t (&r)[4], uint32_t from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from) : "memory");
}

__device__ void ldmatrix_transposed(uint32_t (&r)[4], uint32_t from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from) : "memory");
}

__device__ void mma(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// M, N and K are multiples of BM, BN and BK.
__global__ void __launch_bounds__(THREADS, 1)
multiply(const __nv_bfloat16* __restrict__ A, const __nv_bfloat16* __restrict__ B, __nv_bfloat16* __restrict__ C,
         int M, int N, int K) {
    extern __shared__ __align__(128) uint8_t tiles[];
    uint32_t base = (uint32_t)__cvta_generic_to_shared(tiles);
    int per_group = GROUP * (N / BN), group = blockIdx.x / per_group, in_group = blockIdx.x % per_group;
    int rows = min(GROUP, M / BM - group * GROUP);
    int m = (group * GROUP + in_group % rows) * BM, n = in_group / rows * BN;
    int tid = threadIdx.x, lane = tid % 32, warp_m = tid / 128 * WM, warp_n = tid / 32 % 4 * WN;

    // Copies: a thread moves 2 chunks of A and 4 of B per step, at fixed distances.
    constexpr int A_ROWS = THREADS / (BK / 8), B_ROWS = THREADS / (BN / 8);
    const __nv_bfloat16* a_from = A + (size_t)(m + tid / (BK / 8)) * K + tid % (BK / 8) * 8;
    const __nv_bfloat16* b_from = B + (size_t)(tid / (BN / 8)) * N + n + tid % (BN / 8) * 8;
    uint32_t a_to = base + a_place(tid / (BK / 8), tid % (BK / 8));
    uint32_t b_to = base + A_BYTES + b_place(tid / (BN / 8), tid % (BN / 8));
    size_t a_pass = (size_t)A_ROWS * K, b_pass = (size_t)B_ROWS * N, b_step = (size_t)BK * N;
    auto fetch = [&](int stage) {
#pragma unroll
        for (int i = 0; i < BM / A_ROWS; ++i) {
            copy_async(a_to + stage * STAGE_BYTES + i * A_ROWS * BK * 2, a_from + i * a_pass);
        }
#pragma unroll
        for (int i = 0; i < BK / B_ROWS; ++i) {
            copy_async(b_to + stage * STAGE_BYTES + i * B_ROWS * BN * 2, b_from + i * b_pass);
        }
        a_from += BK, b_from += b_step;
    };

    // Fragments of 16 columns of A and 16 rows of B: lanes 0 to 15 name the rows, the upper ones the next chunk.
    uint32_t a[2][WM / 16][4], b[2][WN / 16][4];
    int a_row = (warp_m + lane % 16) * BK * 2, a_twist = lane / 2 % 4 * 16, upper = lane / 16 * 16;
    int b_row = A_BYTES + lane % 16 * BN * 2 + warp_n * 2, b_twist = lane % 8 * 16;
    auto read = [&](int slot, uint32_t stage, int k) {
#pragma unroll
        for (int i = 0; i < WM / 16; ++i) {
            ldmatrix(a[slot][i], stage + a_row + i * 16 * BK * 2 + ((k * 2 + upper) ^ a_twist));
        }
#pragma unroll
        for (int j = 0; j < WN / 16; ++j) {
            ldmatrix_transposed(b[slot][j], stage + b_row + k * BN * 2 + ((j * 32 + upper) ^ b_twist));
        }
    };

    int steps = K / BK;
#pragma unroll
    for (int s = 0; s < STAGES - 1; ++s) {
        if (s < steps) {
            fetch(s);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
    read(0, base, 0);
    float sum[WM / 16][WN / 8][4] = {};
    int now = 0, free_stage = STAGES - 1;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
#pragma unroll
        for (int part = 0; part < BK / 16; ++part) {
            if (part == BK / 16 - 1) {  // the next fragments are of the next tile
                asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
                __syncthreads();
                now = now + 1 == STAGES ? 0 : now + 1;
            }
            if (part < BK / 16 - 1 || step + 1 < steps) {
                read((part + 1) % 2, base + now * STAGE_BYTES, (part + 1) % (BK / 16) * 16);
            }
            if (part == 0) {
                if (step + STAGES - 1 < steps) {
                    fetch(free_stage);
                }
                free_stage = free_stage + 1 == STAGES ? 0 : free_stage + 1;
                asm volatile("cp.async.commit_group;" ::: "memory");
            }
#pragma unroll
            for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
                for (int turn = 0; turn < WN / 8; ++turn) {
                    int j = i % 2 ? WN / 8 - 1 - turn : turn;  // back and forth: one operand is always reused
                    mma(sum[i][j], a[part % 2][i], b[part % 2][j / 2][j % 2 * 2], b[part % 2][j / 2][j % 2 * 2 + 1]);
                }
            }
        }
    }
#pragma unroll
    for (int i = 0; i < WM / 16 * 2; ++i) {
        __nv_bfloat16* to = C + (size_t)(m + warp_m + i * 8 + lane / 4) * N + n + warp_n + lane % 4 * 2;
#pragma unroll
        for (int j = 0; j < WN / 8; ++j) {
            const float* pair = sum[i / 2][j] + i % 2 * 2;
            *reinterpret_cast<__nv_bfloat162*>(to + j * 8) = __floats2bfloat162_rn(pair[0], pair[1]);
        }
    }
}

// For all other sizes: 16x16 tiles on the CUDA cores.
__global__ void multiply_any(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    __shared__ float a_tile[16][16], b_tile[16][16];
    int x = threadIdx.x, y = threadIdx.y, m = blockIdx.y * 16 + y, n = blockIdx.x * 16 + x;
    float sum = 0.0f;
    for (int k = 0; k < K; k += 16) {
        a_tile[y][x] = m < M && k + x < K ? __bfloat162float(A[(size_t)m * K + k + x]) : 0.0f;
        b_tile[y][x] = k + y < K && n < N ? __bfloat162float(B[(size_t)(k + y) * N + n]) : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; ++i) {
            sum += a_tile[y][i] * b_tile[i][x];
        }
        __syncthreads();
    }
    if (m < M && n < N) {
        C[(size_t)m * N + n] = __float2bfloat16(sum);
    }
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    if (M % BM == 0 && N % BN == 0 && K % BK == 0) {
        cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGES * STAGE_BYTES);
        multiply<<<M / BM * (N / BN), THREADS, STAGES * STAGE_BYTES>>>(A, B, C, M, N, K);
    } else {
        multiply_any<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
    }
    cudaDeviceSynchronize();
}
