// No half-empty last wave: whole waves of tiles as before, and the tiles that are left over are cut along the inner
// dimension into equal shares, one per multiprocessor. The block with the end of a tile adds up the parts.
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int BM = 128, BK = 256;  // rows and columns of C per block
constexpr int BN = 16, PAD = 4;    // inner dimension per step; padding of the transposed tile of A
constexpr int STAGES = 8;          // tiles in shared memory; a barrier for every two steps
constexpr int THREADS = 256, ROW_GAP = 32, COL_GAP = 16;  // between the quads of a thread's 8x16 results
constexpr int A_STAGE = BN * (BM + PAD), B_STAGE = BN * BK, SHARED_BYTES = STAGES * (A_STAGE + B_STAGE) * 4;
constexpr int GROUP = 8;  // rows of tiles that are walked together, so that their part of B stays in L2

__device__ void copy4_async(uint32_t to, const float* from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
}

__device__ void copy16_async(uint32_t to, const float* from) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

__device__ void read4(float* to, const float* from) {
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
}

// M, N and K are multiples of BM, 2 * BN and BK, and N is long enough to fill all stages. With CUT, the tiles from
// first_tile on are shared by all blocks; `parts` has room for a tile of each and `ready` says which are finished.
template <bool CUT>
__global__ void __launch_bounds__(THREADS, 1)
multiply(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K,
         int first_tile, float* parts, int* ready) {
    extern __shared__ __align__(16) float a_tiles[];  // transposed
    float* b_tiles = a_tiles + STAGES * A_STAGE;
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    int lane_row = (lane >> 1 & 1) | (lane >> 2 & 6);  // bits 1, 3, 4 of the lane: 0 to 7
    int lane_col = (lane & 1) | (lane >> 1 & 2);       // bits 0 and 2: 0 to 3
    int first_row = warp / 4 * 64 + lane_row * 4, first_col = warp % 4 * 64 + lane_col * 4;
    uint32_t a_to = (uint32_t)__cvta_generic_to_shared(a_tiles + tid % BN * (BM + PAD) + tid / BN);
    uint32_t b_to = (uint32_t)__cvta_generic_to_shared(b_tiles + tid / 64 * BK + tid % 64 * 4);
    size_t a_pass = (size_t)16 * N, b_pass = (size_t)4 * K, b_step = (size_t)BN * K;
    int tile_steps = N / BN, cut_steps = CUT ? (M / BM * (K / BK) - first_tile) * tile_steps : 0;
    auto begin_of = [&](int block) { return (int)((long long)(cut_steps / 2) * block / gridDim.x) * 2; };
    int begin = begin_of(blockIdx.x), end = begin_of(blockIdx.x + 1), last = end / tile_steps * tile_steps;
#pragma unroll 1
    for (int turn = 0; turn < (CUT ? 2 : 1); ++turn) {
        int tile = blockIdx.x, from = 0, to = tile_steps;
        if (CUT) {  // first the beginning of a tile, which another block waits for, then the end of the one before
            int low = turn == 0 ? max(begin, last) : begin, high = turn == 0 ? end : min(end, last);
            if (low >= high) {
                continue;
            }
            tile = low / tile_steps, from = low - tile * tile_steps, to = high - tile * tile_steps;
        }
        tile += first_tile;
        int per_group = GROUP * (K / BK), group = tile / per_group, in_group = tile % per_group;
        int rows = min(GROUP, M / BM - group * GROUP);
        int row0 = (group * GROUP + in_group % rows) * BM, col0 = in_group / rows * BK;
        const float* a_from = A + (size_t)(row0 + tid / BN) * N + from * BN + tid % BN;
        const float* b_from = B + (size_t)(from * BN + tid / 64) * K + col0 + tid % 64 * 4;
        auto fetch = [&](int stage) {  // 8 numbers of A, transposed, and 4 times 4 of B per thread
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                copy4_async(a_to + (stage * A_STAGE + i * 16) * 4, a_from + i * a_pass);
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                copy16_async(b_to + (stage * B_STAGE + i * 4 * BK) * 4, b_from + i * b_pass);
            }
            a_from += BN, b_from += b_step;
        };
        int steps = to - from;
        __syncthreads();  // nobody reads the tiles of before any more
#pragma unroll
        for (int s = 0; s < STAGES - 2; ++s) {
            if (s < steps) {
                fetch(s);
            }
            asm volatile("cp.async.commit_group;" ::: "memory");
        }
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 4) : "memory");
        __syncthreads();
        float sum[8][16] = {}, a[2][8], b[2][16];
        const float *a_at = a_tiles + first_row, *b_at = b_tiles + first_col;
        auto read = [&](int slot, int n) {
#pragma unroll
            for (int q = 0; q < 2; ++q) {
                read4(a[slot] + 4 * q, a_at + n * (BM + PAD) + q * ROW_GAP);
            }
#pragma unroll
            for (int q = 0; q < 4; ++q) {
                read4(b[slot] + 4 * q, b_at + n * BK + q * COL_GAP);
            }
        };
        read(0, 0);
        int now = 0, free_stage = STAGES - 2;
#pragma unroll 1
        for (int step = 0; step < steps; ++step) {
#pragma unroll
            for (int n = 0; n < BN; ++n) {
                if (n == BN - 1) {  // the next fragments are of the next tile
                    if (step % 2 == 1) {
                        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 4) : "memory");
                        __syncthreads();
                    }
                    now = now + 1 == STAGES ? 0 : now + 1;
                    a_at = a_tiles + first_row + now * A_STAGE, b_at = b_tiles + first_col + now * B_STAGE;
                }
                read((n + 1) % 2, (n + 1) % BN);
                if (n == 0) {
                    if (step + STAGES - 2 < steps) {
                        fetch(free_stage);
                    }
                    free_stage = free_stage + 1 == STAGES ? 0 : free_stage + 1;
                    asm volatile("cp.async.commit_group;" ::: "memory");
                }
#pragma unroll
                for (int i = 0; i < 128; ++i) {
                    sum[i / 16][i % 16] += a[n % 2][i / 16] * b[n % 2][i % 16];
                }
            }
        }
        bool has_end = to == tile_steps;  // others leave what they have to the block that has the end of the tile
        float* out = has_end ? C + (size_t)row0 * K + col0 : parts + (size_t)blockIdx.x * BM * BK;
        int pitch = has_end ? K : BK;
#pragma unroll
        for (int i = 0; i < 32; ++i) {
            float* to4 = out + (first_row + i / 4 % 4 + i / 16 * ROW_GAP) * pitch + first_col + i % 4 * COL_GAP;
            read4(to4, &sum[i / 4][i % 4 * 4]);
        }
        if (!CUT) {
            return;
        }
        if (!has_end) {
            __threadfence();
            __syncthreads();
            if (tid == 0) {
                atomicExch(ready + blockIdx.x, 1);
            }
            continue;
        }
        for (int other = blockIdx.x; begin_of(other) > (tile - first_tile) * tile_steps;) {
            --other;
            if (tid == 0) {
                while (atomicAdd(ready + other, 0) == 0) {
                }
            }
            __syncthreads();
            const float* part = parts + (size_t)other * BM * BK;
            for (int i = tid; i < BM * BK / 4; i += THREADS) {
                float4 v = __ldcg(reinterpret_cast<const float4*>(part) + i);
                float4* to4 = reinterpret_cast<float4*>(out + i / (BK / 4) * pitch) + i % (BK / 4);
                *to4 = make_float4(to4->x + v.x, to4->y + v.y, to4->z + v.z, to4->w + v.w);
            }
        }
    }
}

// For all other sizes: 16x16 tiles.
__global__ void multiply_any(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[16][16], b_tile[16][16];
    int x = threadIdx.x, y = threadIdx.y, m = blockIdx.y * 16 + y, k = blockIdx.x * 16 + x;
    float sum = 0.0f;
    for (int n = 0; n < N; n += 16) {
        a_tile[y][x] = m < M && n + x < N ? A[(size_t)m * N + n + x] : 0.0f;
        b_tile[y][x] = n + y < N && k < K ? B[(size_t)(n + y) * K + k] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; ++i) {
            sum += a_tile[y][i] * b_tile[i][x];
        }
        __syncthreads();
    }
    if (m < M && k < K) {
        C[(size_t)m * K + k] = sum;
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    if (M % BM || N % (2 * BN) || N < STAGES * BN || K % BK) {
        multiply_any<<<dim3((K + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
        return;
    }
    int blocks = 0, tiles = M / BM * (K / BK);
    cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0);
    cudaFuncSetAttribute(multiply<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
    cudaFuncSetAttribute(multiply<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
    int whole = tiles / blocks * blocks, rest = tiles - whole;
    if (whole > 0) {
        multiply<false><<<whole, THREADS, SHARED_BYTES>>>(A, B, C, M, N, K, 0, nullptr, nullptr);
    }
    if (rest > 0) {
        float* parts;
        int* ready;
        blocks = min(blocks, max(rest, rest * (N / BN) / 8));  // a share has eight steps or more
        cudaMalloc(&parts, (size_t)blocks * BM * BK * sizeof(float));
        cudaMalloc(&ready, blocks * sizeof(int));
        cudaMemset(ready, 0, blocks * sizeof(int));
        multiply<true><<<blocks, THREADS, SHARED_BYTES>>>(A, B, C, M, N, K, whole, parts, ready);
        cudaFree(parts);
        cudaFree(ready);
    }
    cudaDeviceSynchronize();
}
