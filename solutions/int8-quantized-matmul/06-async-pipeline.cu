// cp.async brings four tiles of each matrix, untouched, into shared memory while the tensor cores work on a fifth
// of the data that came before: three steps of latency are covered. The transpose of B moves to the fragments: if
// fragment j takes columns j, j + 4, j + 8 ... of its 32, the 4 x 4 bytes of four fragments are one square of B, and
// eight neighbouring results belong to one thread. Sums of rows and columns are small kernels of their own.
#include <cuda_runtime.h>

__device__ signed char quantized(int sum, float scale, int zero_point) {
    float x = fminf(fmaxf(static_cast<float>(sum) * scale, -300.0f), 300.0f);  // what an int surely holds
    return static_cast<signed char>(min(max(__float2int_rn(x) + zero_point, -128), 127));
}

constexpr int ROWS = 128, COLUMNS = 256, DEPTH = 64;  // of a block of eight warps, 64 x 64 of C per warp
constexpr int STAGES = 4, STAGE_BYTES = (ROWS + COLUMNS) * DEPTH;

// 16 bytes at `chunk` of row r of a tile: swizzled, so that fragments meet all banks.
__device__ int place_A(int r, int chunk) { return r * DEPTH + 16 * (chunk ^ (r / 2 % 4)); }
__device__ int place_B(int k, int chunk) { return k * COLUMNS + 16 * (chunk ^ (2 * (k / 4 % 4))); }

__device__ void copy_async(unsigned to, const signed char* from, bool inside) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0));
}

// A thread's part of one step: two pieces of A, four of B.
__device__ void fetch(unsigned stage, const signed char* A, const signed char* B, int M, int N, int K, int k0) {
    int m0 = blockIdx.y * ROWS, n0 = blockIdx.x * COLUMNS;
#pragma unroll
    for (int p = threadIdx.x; p < ROWS * 4; p += 256) {
        int r = p / 4, k = k0 + p % 4 * 16;
        bool inside = m0 + r < M && k < K;
        copy_async(stage + place_A(r, p % 4), inside ? A + (size_t)(m0 + r) * K + k : A, inside);
    }
#pragma unroll
    for (int p = threadIdx.x; p < DEPTH * 16; p += 256) {
        int k = p / 16, n = n0 + p % 16 * 16;
        bool inside = k0 + k < K && n < N;
        copy_async(stage + ROWS * DEPTH + place_B(k, p % 16), inside ? B + (size_t)(k0 + k) * N + n : B, inside);
    }
}

__device__ void load_A(int (&a)[4], unsigned address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(address));
}

// Word i of b holds four columns of row k + i; afterwards word j holds four values of k of column j.
__device__ void load_B(int (&b)[4], const signed char* tile, int k, int column) {
    unsigned w[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        w[i] = *reinterpret_cast<const unsigned*>(tile + place_B(k + i, column / 16) + column % 16);
    }
    unsigned x = __byte_perm(w[0], w[1], 0x5140), y = __byte_perm(w[2], w[3], 0x5140);
    unsigned z = __byte_perm(w[0], w[1], 0x7362), v = __byte_perm(w[2], w[3], 0x7362);
    b[0] = __byte_perm(x, y, 0x5410), b[1] = __byte_perm(x, y, 0x7632);
    b[2] = __byte_perm(z, v, 0x5410), b[3] = __byte_perm(z, v, 0x7632);
}

__device__ void multiply_add(int (&d)[4], const int (&a)[4], int b0, int b1) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, "
        "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__global__ void __launch_bounds__(256) multiply(
    const signed char* A, const signed char* B, signed char* C, int M, int N, int K, float scale, int za, int zb,
    int zc, const int* row_sums, const int* col_sums) {
    extern __shared__ __align__(128) signed char tiles[];
    unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(tiles));
    int t = threadIdx.x, lane = t % 32, g = lane / 4, q = t % 4;
    int warp_row = t / 128 * 64, warp_col = t / 32 % 4 * 64;
    int steps = (K + DEPTH - 1) / DEPTH;
    for (int s = 0; s < STAGES - 1; ++s) {
        if (s < steps) fetch(base + s * STAGE_BYTES, A, B, M, N, K, s * DEPTH);
        asm volatile("cp.async.commit_group;");
    }
    int sums[2][4][4][4] = {};
    for (int step = 0; step < steps; ++step) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
        __syncthreads();  // this step's tiles are there for all, and the last step's have been read by all
        int next = step + STAGES - 1;
        if (next < steps) fetch(base + next % STAGES * STAGE_BYTES, A, B, M, N, K, next * DEPTH);
        asm volatile("cp.async.commit_group;");
        int stage = step % STAGES * STAGE_BYTES;
#pragma unroll 1
        for (int k = 0; k < DEPTH; k += 32) {
            int a[4][4], b[2][2][4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                load_A(a[i], base + stage + place_A(warp_row + 16 * i + lane % 16, k / 16 + lane / 16));
            }
#pragma unroll
            for (int h = 0; h < 4; ++h) {
                int k_of = k + 16 * (h % 2) + 4 * q, column = warp_col + 32 * (h / 2) + 4 * g;
                load_B(b[h / 2][h % 2], tiles + stage + ROWS * DEPTH, k_of, column);
            }
#pragma unroll
            for (int i = 0; i < 32; ++i) {
                int half = i / 16, r = i / 4 % 4, c = i % 4;
                multiply_add(sums[half][r][c], a[r], b[half][0][c], b[half][1][c]);
            }
        }
    }
    int m0 = blockIdx.y * ROWS + warp_row + g;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        int n0 = blockIdx.x * COLUMNS + warp_col + 32 * half + 8 * q;
        if (n0 >= N) return;
        int of_columns[8];
        for (int c = 0; c < 8; ++c) of_columns[c] = za * col_sums[n0 + c] - K * za * zb;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            int m = m0 + 8 * i;
            if (m >= M) break;
            int of_row = zb * row_sums[m];
            unsigned words[2] = {};
#pragma unroll
            for (int c = 0; c < 8; ++c) {
                int sum = sums[half][i / 2][c % 4][i % 2 * 2 + c / 4] - of_row - of_columns[c];
                words[c / 4] |= static_cast<unsigned char>(quantized(sum, scale, zc)) << (8 * (c % 4));
            }
            *reinterpret_cast<uint2*>(C + (size_t)m * N + n0) = make_uint2(words[0], words[1]);
        }
    }
}

// A warp per row of A.
__global__ void add_rows(const int4* A, int* sums, int M, int pieces) {
    int m = blockIdx.x * 8 + threadIdx.x / 32, sum = 0;
    if (m >= M) return;
    for (int p = threadIdx.x % 32; p < pieces; p += 32) {
        int4 v = A[(size_t)m * pieces + p];
        sum = __dp4a(v.x, 0x01010101, __dp4a(v.y, 0x01010101, sum));
        sum = __dp4a(v.z, 0x01010101, __dp4a(v.w, 0x01010101, sum));
    }
    sum = __reduce_add_sync(0xffffffff, sum);
    if (threadIdx.x % 32 == 0) sums[m] = sum;
}

// A thread per four columns and 16 rows of B, whose loads do not wait for each other.
__global__ void add_columns(const int* B, int* sums, int words) {
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= words) return;
    int part[4] = {};
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        int word = B[(size_t)(blockIdx.y * 16 + k) * words + w];
        for (int j = 0; j < 4; ++j) part[j] = __dp4a(word, 1 << (8 * j), part[j]);
    }
    for (int j = 0; j < 4; ++j) atomicAdd(&sums[4 * w + j], part[j]);
}

// For sizes whose rows are not aligned to 16 bytes.
__global__ void multiply_any(const signed char* A, const signed char* B, signed char* C, int M, int N, int K,
                             float scale, int za, int zb, int zc) {
    int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    if (m >= M || n >= N) return;
    for (int k = 0; k < K; ++k) sum += (A[(size_t)m * K + k] - za) * (B[(size_t)k * N + n] - zb);
    C[(size_t)m * N + n] = quantized(sum, scale, zc);
}

extern "C" void solve(const signed char* A, const signed char* B, signed char* C, int M, int N, int K,
                      float scale_A, float scale_B, float scale_C, int zero_point_A, int zero_point_B,
                      int zero_point_C) {
    float scale = scale_A * scale_B / scale_C;
    if (K % 16 != 0 || N % 16 != 0) {
        multiply_any<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K, scale, zero_point_A,
                                                                       zero_point_B, zero_point_C);
        return;
    }
    int* sums;
    cudaMalloc(&sums, (M + N) * sizeof(int));
    cudaMemset(sums + M, 0, N * sizeof(int));
    add_rows<<<(M + 7) / 8, 256>>>(reinterpret_cast<const int4*>(A), sums, M, K / 16);
    add_columns<<<dim3((N / 4 + 63) / 64, K / 16), 64>>>(reinterpret_cast<const int*>(B), sums + M, N / 4);
    cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, STAGES * STAGE_BYTES);
    dim3 blocks((N + COLUMNS - 1) / COLUMNS, (M + ROWS - 1) / ROWS);
    multiply<<<blocks, 256, STAGES * STAGE_BYTES>>>(A, B, C, M, N, K, scale, zero_point_A, zero_point_B, zero_point_C,
                                                    sums, sums + M);
    cudaFree(sums);
}
