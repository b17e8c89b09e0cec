// mma.sync as before, but one thread of an extra warpgroup has TMA copy the tiles into a ring of four stages.
// Barriers in shared memory say what is full and what is empty, nothing stops all threads, and blocks stay for many
// tiles.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int BM = 128, BN = 256, BK = 64, STAGES = 4, CONSUMERS = 2, THREADS = 128 * (CONSUMERS + 1);
constexpr int GROUP = 8;  // rows of tiles that are walked together, so that their part of B stays in L2

struct Ring {
    alignas(1024) __nv_bfloat16 a[STAGES][BM * BK];
    __nv_bfloat16 b[STAGES][BK * BN];  // four pieces of 64 columns
    uint64_t full[STAGES], empty[STAGES];
};

__device__ uint32_t shared_address(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ void init(uint64_t* barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals));
}

__device__ void arrive_expecting(uint64_t* barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
}

__device__ void arrive(uint64_t* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

__device__ void wait(uint64_t* barrier, int parity) {
    asm volatile(
        "{\n.reg .pred done;\n"
        "again:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(
            shared_address(barrier)),
        "r"(parity) : "memory");
}

// One thread has a box of the matrix behind `map` copied to shared memory; the barrier counts the bytes.
__device__ void load(void* to, const CUtensorMap* map, uint64_t* barrier, int column, int row) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
            shared_address(to)),
        "l"(map), "r"(shared_address(barrier)), "r"(column), "r"(row) : "memory");
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

struct Place { int m, n; };

// Tiles in the order in which they are multiplied: down GROUP rows of tiles, then a column further.
__device__ Place place(int tile, int m_tiles, int n_tiles) {
    int group = tile / (GROUP * n_tiles), in_group = tile % (GROUP * n_tiles);
    int rows = min(GROUP, m_tiles - group * GROUP);
    return {(group * GROUP + in_group % rows) * BM, in_group / rows * BN};
}

__global__ void __launch_bounds__(THREADS, 1)
multiply(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
         __nv_bfloat16* __restrict__ C, int M, int N, int K) {
    extern __shared__ uint8_t room[];
    Ring& ring = *reinterpret_cast<Ring*>(((uintptr_t)room + 1023) / 1024 * 1024);
    int n_tiles = (N + BN - 1) / BN, m_tiles = (M + BM - 1) / BM, steps = (K + BK - 1) / BK;
    int warpgroup = threadIdx.x / 128, thread = threadIdx.x % 128, lane = thread % 32;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            init(&ring.full[i], 1);
            init(&ring.empty[i], CONSUMERS * 4);  // one lane of each warp
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    int stage = 0, phase = 0;
    if (warpgroup == 0) {  // the producer needs few registers
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        for (int tile = blockIdx.x; thread == 0 && tile < m_tiles * n_tiles; tile += gridDim.x) {
            auto [m, n] = place(tile, m_tiles, n_tiles);
            for (int step = 0; step < steps; ++step) {
                wait(&ring.empty[stage], phase ^ 1);  // the first round finds all stages empty
                arrive_expecting(&ring.full[stage], (BM + BN) * BK * 2);
                load(ring.a[stage], &a_map, &ring.full[stage], step * BK, m);
#pragma unroll
                for (int piece = 0; piece < BN / 64; ++piece) {
                    load(ring.b[stage] + piece * 64 * BK, &b_map, &ring.full[stage], n + piece * 64, step * BK);
                }
                if (++stage == STAGES) {
                    stage = 0, phase ^= 1;
                }
            }
        }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");

    // A warp owns 64x64. TMA has exchanged the 16-byte chunks of each 128-byte row by the row's last three bits.
    int warp = threadIdx.x / 32 - 4, warp_m = warp / 4 * 64, warp_n = warp % 4 * 64;
    uint32_t a_row = (warp_m + lane % 16) * 128, b_row = warp_n * 128 + lane % 16 * 128;
    uint32_t twist = lane % 8 * 16, upper = lane / 16 * 16, a[2][4][4], b[2][4][4];
    auto read = [&](int slot, int part) {
        uint32_t a_tile = shared_address(ring.a[stage]) + a_row, b_tile = shared_address(ring.b[stage]) + b_row;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            ldmatrix(a[slot][i], a_tile + i * 16 * 128 + ((part * 32 + upper) ^ twist));
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            ldmatrix_transposed(b[slot][j], b_tile + part * 16 * 128 + ((j * 32 + upper) ^ twist));
        }
    };
    for (int tile = blockIdx.x; tile < m_tiles * n_tiles; tile += gridDim.x) {
        auto [m, n] = place(tile, m_tiles, n_tiles);
        float sum[4][8][4] = {};
        wait(&ring.full[stage], phase);
        read(0, 0);
#pragma unroll 1
        for (int step = 0; step < steps; ++step) {
            int multiplied = stage;
#pragma unroll
            for (int part = 0; part < BK / 16; ++part) {
                if (part < BK / 16 - 1) {
                    read((part + 1) % 2, part + 1);
                } else {  // the next fragments are of the next stage, and this one is read
                    if (++stage == STAGES) {
                        stage = 0, phase ^= 1;
                    }
                    if (step + 1 < steps) {
                        wait(&ring.full[stage], phase);
                        read(0, 0);
                    }
                    __syncwarp();
                    if (lane == 0) {
                        arrive(&ring.empty[multiplied]);
                    }
                }
#pragma unroll
                for (int i = 0; i < 4; ++i) {
#pragma unroll
                    for (int turn = 0; turn < 8; ++turn) {
                        int j = i % 2 ? 7 - turn : turn;  // back and forth: one operand is always reused
                        const uint32_t* pair = b[part % 2][j / 2] + j % 2 * 2;
                        mma(sum[i][j], a[part % 2][i], pair[0], pair[1]);
                    }
                }
            }
        }
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            int row = m + warp_m + i * 8 + lane / 4, column = n + warp_n + lane % 4 * 2;
#pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (row < M && column + j * 8 < N) {
                    __nv_bfloat162* to = reinterpret_cast<__nv_bfloat162*>(C + (size_t)row * N + column + j * 8);
                    *to = __floats2bfloat162_rn(sum[i / 2][j][i % 2 * 2], sum[i / 2][j][i % 2 * 2 + 1]);
                }
            }
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

typedef CUresult (*Encode)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                           const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                           CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// Describes a row-major matrix and the boxes that are copied from it: 64 columns wide, 128-byte swizzled.
static CUtensorMap tensor_map(Encode encode, const __nv_bfloat16* matrix, int rows, int columns, int box_rows) {
    CUtensorMap map;
    cuuint64_t extents[2] = {(cuuint64_t)columns, (cuuint64_t)rows}, pitch[1] = {(cuuint64_t)columns * 2};
    cuuint32_t box[2] = {64, (cuuint32_t)box_rows}, steps[2] = {1, 1};
    encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, (void*)matrix, extents, pitch, box, steps,
           CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
    if (N % 8 || K % 8) {  // TMA wants rows of a multiple of 16 bytes
        multiply_any<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
        return;
    }
    Encode encode = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void**)&encode, 12000, cudaEnableDefault, &found);
    CUtensorMap a_map = tensor_map(encode, A, M, K, BM), b_map = tensor_map(encode, B, K, N, BK);
    int bytes = sizeof(Ring) + 1024, tiles = (M + BM - 1) / BM * ((N + BN - 1) / BN), multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    multiply<<<tiles < multiprocessors ? tiles : multiprocessors, THREADS, bytes>>>(a_map, b_map, C, M, N, K);
    cudaDeviceSynchronize();
}
