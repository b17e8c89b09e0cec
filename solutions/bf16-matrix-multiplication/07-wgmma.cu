// wgmma m64n256k16: four warps multiply at once, both operands in shared memory, and only the results in registers.
// Two warpgroups share a 128x256 tile of C; cp.async still brings the tiles, written in the swizzle wgmma reads.
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int BM = 128, BN = 256, BK = 64, STAGES = 4, THREADS = 256;
constexpr int A_BYTES = BM * BK * 2, STAGE_BYTES = A_BYTES + BK * BN * 2;
constexpr int GROUP = 8;  // rows of tiles that are walked together, so that their part of B stays in L2

__device__ void copy_async(uint32_t to, const __nv_bfloat16* from) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
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

// M, N and K are multiples of BM, BN and BK.
__global__ void __launch_bounds__(THREADS, 1)
multiply(const __nv_bfloat16* __restrict__ A, const __nv_bfloat16* __restrict__ B, __nv_bfloat16* __restrict__ C,
         int M, int N, int K) {
    extern __shared__ uint8_t room[];
    uint32_t base = ((uint32_t)__cvta_generic_to_shared(room) + 1023) / 1024 * 1024;  // the swizzle repeats after 1024
    int per_group = GROUP * (N / BN), group = blockIdx.x / per_group, in_group = blockIdx.x % per_group;
    int rows = min(GROUP, M / BM - group * GROUP);
    int m = (group * GROUP + in_group % rows) * BM, n = in_group / rows * BN;
    int tid = threadIdx.x, lane = tid % 32, warpgroup = tid / 128;

    // A tile of A has 128 rows of 128 bytes; one of B four pieces of 64 columns, each with 64 rows of 128 bytes.
    // Chunk c of row r lies at c ^ (r % 8). A thread copies 4 chunks of A and 8 of B, at fixed distances.
    const __nv_bfloat16* a_from = A + (size_t)(m + tid / 8) * K + tid % 8 * 8;
    const __nv_bfloat16* b_from = B + (size_t)(tid / 32) * N + n + tid % 32 * 8;
    uint32_t a_to = base + tid / 8 * 128 + (tid % 8 ^ tid / 8 % 8) * 16;
    uint32_t b_to = base + A_BYTES + tid % 32 / 8 * (BK * 128) + tid / 32 * 128 + (tid % 8 ^ tid / 32) * 16;
    size_t a_pass = (size_t)32 * K, b_pass = (size_t)8 * N, b_step = (size_t)BK * N;
    auto fetch = [&](int stage) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            copy_async(a_to + stage * STAGE_BYTES + i * 32 * 128, a_from + i * a_pass);
        }
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            copy_async(b_to + stage * STAGE_BYTES + i * 8 * 128, b_from + i * b_pass);
        }
        a_from += BK, b_from += b_step;
    };

    int steps = K / BK;
    for (int s = 0; s < STAGES - 2; ++s) {
        if (s < steps) {
            fetch(s);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    float d[128];
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 3) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // tensor cores read what threads wrote
        __syncthreads();  // tiles of this step are there; nobody multiplies those of two steps ago any more
        uint32_t tile = base + step % STAGES * STAGE_BYTES;
        uint64_t a = descriptor(tile + warpgroup * 64 * 128, 16, 1024), b = descriptor(tile + A_BYTES, BK * 128, 1024);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < BK / 16; ++k) {  // 16 columns of A are 32 bytes further, 16 rows of B 2048
            wgmma(d, a + k * 2, b + k * 128, step + k > 0);
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        if (step + STAGES - 2 < steps) {
            fetch((step + STAGES - 2) % STAGES);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");  // the one before this has ended
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    int row = m + tid / 32 * 16 + lane / 4;
#pragma unroll
    for (int i = 0; i < 64; ++i) {  // pairs: columns 0 and 1, eight rows below, then eight columns further
        __nv_bfloat16* to = C + (size_t)(row + i % 2 * 8) * N + n + i / 2 * 8 + lane % 4 * 2;
        *reinterpret_cast<__nv_bfloat162*>(to) = __floats2bfloat162_rn(d[2 * i], d[2 * i + 1]);
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
        int bytes = STAGES * STAGE_BYTES + 1024;
        cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        multiply<<<M / BM * (N / BN), THREADS, bytes>>>(A, B, C, M, N, K);
    } else {
        multiply_any<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
    }
    cudaDeviceSynchronize();
}
