// TMA and warp specialisation: one thread of an extra warpgroup has tiles copied into a ring of four stages, two
// warpgroups multiply them. Barriers in shared memory say what is full and what is empty; nobody else waits.
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

#define EIGHT(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
                 "+f"(d[i + 6]), "+f"(d[i + 7])
#define THIRTY_TWO(i) EIGHT(i), EIGHT(i + 8), EIGHT(i + 16), EIGHT(i + 24)

// d += A B on 64 x 256 x 16 (d = A B unless `add`): asynchronous, both operands in shared memory, B stored by rows.
__device__ void wgmma(float (&d)[128], uint64_t a, uint64_t b, int add) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, add, 1, 1, 0, 1;\n}"
        : THIRTY_TWO(0), THIRTY_TWO(32), THIRTY_TWO(64), THIRTY_TWO(96)
        : "l"(a), "l"(b), "r"(add));
}

// How wgmma finds a tile with 128-byte rows, swizzled: address, and bytes between groups of 64 columns (of B only)
// and of eight rows, in units of 16.
__device__ uint64_t descriptor(uint32_t tile, int columns_apart, int rows_apart) {
    uint64_t apart = (uint64_t)(rows_apart >> 4) << 32 | (uint64_t)(columns_apart >> 4) << 16;
    return 1ull << 62 | apart | (tile & 0x3FFFF) >> 4;  // without the number of the block in a cluster
}

__global__ void __launch_bounds__(THREADS, 1)
multiply(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
         __nv_bfloat16* __restrict__ C, int M, int N, int K) {
    extern __shared__ uint8_t room[];
    Ring& ring = *reinterpret_cast<Ring*>(((uintptr_t)room + 1023) / 1024 * 1024);
    int n_tiles = (N + BN - 1) / BN, m_tiles = (M + BM - 1) / BM, steps = (K + BK - 1) / BK;
    int group = blockIdx.x / (GROUP * n_tiles), in_group = blockIdx.x % (GROUP * n_tiles);
    int rows = min(GROUP, m_tiles - group * GROUP);
    int m = (group * GROUP + in_group % rows) * BM, n = in_group / rows * BN;
    int warpgroup = threadIdx.x / 128, thread = threadIdx.x % 128, lane = thread % 32;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; ++i) {
            init(&ring.full[i], 1);
            init(&ring.empty[i], CONSUMERS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (warpgroup == 0) {  // the producer needs few registers
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (thread == 0) {
            for (int step = 0; step < steps; ++step) {
                int stage = step % STAGES;
                wait(&ring.empty[stage], step / STAGES % 2 ^ 1);  // the first round finds all stages empty
                arrive_expecting(&ring.full[stage], (BM + BN) * BK * 2);
                load(ring.a[stage], &a_map, &ring.full[stage], step * BK, m);
                for (int piece = 0; piece < BN / 64; ++piece) {
                    load(ring.b[stage] + piece * 64 * BK, &b_map, &ring.full[stage], n + piece * 64, step * BK);
                }
            }
        }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    int consumer = warpgroup - 1;
    float d[128];
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        int stage = step % STAGES;
        wait(&ring.full[stage], step / STAGES % 2);
        uint64_t a = descriptor(shared_address(ring.a[stage] + consumer * 64 * BK), 16, 1024);
        uint64_t b = descriptor(shared_address(ring.b[stage]), 64 * BK * 2, 1024);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < BK / 16; ++k) {  // 16 columns of A are 32 bytes further, 16 rows of B 2048
            wgmma(d, a + k * 2, b + k * 128, step + k > 0);
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        if (step > 0) {
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");  // the step before has ended
            if (thread == 0) {
                arrive(&ring.empty[(step - 1) % STAGES]);
            }
        }
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    int row = m + consumer * 64 + thread / 32 * 16 + lane / 4;
#pragma unroll
    for (int i = 0; i < 64; ++i) {  // pairs: columns 0 and 1, eight rows below, then eight columns further
        int r = row + i % 2 * 8, c = n + i / 2 * 8 + lane % 4 * 2;
        if (r < M && c < N) {
            __nv_bfloat162* to = reinterpret_cast<__nv_bfloat162*>(C + (size_t)r * N + c);
            *to = __floats2bfloat162_rn(d[2 * i], d[2 * i + 1]);
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
    int bytes = sizeof(Ring) + 1024, tiles = (M + BM - 1) / BM * ((N + BN - 1) / BN);
    cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    multiply<<<tiles, THREADS, bytes>>>(a_map, b_map, C, M, N, K);
    cudaDeviceSynchronize();
}
