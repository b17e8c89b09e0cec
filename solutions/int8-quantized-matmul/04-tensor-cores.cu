// mma.sync.m16n8k32 multiplies 16 x 32 by 32 x 8 bytes in one instruction of a warp. Its fragments are words of
// four values of k, just what __dp4a took: rows of A as they lie, columns of B after the transpose of 4 x 4 bytes.
// Rows of As are 20 words and rows of Bs 136 words apart, so that the 32 lanes of a fragment meet 32 banks.
#include <cuda_runtime.h>

__device__ signed char quantized(int sum, float scale, int zero_point) {
    float x = fminf(fmaxf(static_cast<float>(sum) * scale, -300.0f), 300.0f);  // what an int surely holds
    return static_cast<signed char>(min(max(__float2int_rn(x) + zero_point, -128), 127));
}

// Four bytes of a row of `count` from `at` on, one by one, zeros beyond its end.
__device__ __noinline__ unsigned load_bytes(const signed char* row, int at, int count) {
    unsigned word = 0;
    for (int i = 0; i < 4 && at + i < count; ++i) {
        word |= static_cast<unsigned>(static_cast<unsigned char>(row[at + i])) << (8 * i);
    }
    return word;
}

// The same in one access where rows are aligned.
__device__ unsigned load_word(const signed char* row, int at, int count) {
    if (count % 4 != 0) return load_bytes(row, at, count);
    return at < count ? *reinterpret_cast<const unsigned*>(row + at) : 0;
}

// Rows of four bytes become columns: words[j] gets byte j of each of the four.
__device__ void transpose_bytes(unsigned (&words)[4]) {
    unsigned a = __byte_perm(words[0], words[1], 0x5140), b = __byte_perm(words[2], words[3], 0x5140);
    unsigned c = __byte_perm(words[0], words[1], 0x7362), d = __byte_perm(words[2], words[3], 0x7362);
    words[0] = __byte_perm(a, b, 0x5410), words[1] = __byte_perm(a, b, 0x7632);
    words[2] = __byte_perm(c, d, 0x5410), words[3] = __byte_perm(c, d, 0x7632);
}

__device__ void store_word(signed char* row, int at, int count, const signed char* bytes) {
    if (count % 4 == 0) {
        if (at < count) *reinterpret_cast<unsigned*>(row + at) = *reinterpret_cast<const unsigned*>(bytes);
        return;
    }
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
        if (at + i < count) row[at + i] = bytes[i];
    }
}

constexpr int ROWS = 128, COLUMNS = 128;  // of C per block of eight warps, 64 x 32 of them per warp
constexpr int WORDS = 16;                 // of k per step, four bytes each
constexpr int ONES = 0x01010101;

__device__ void multiply_add(int (&d)[4], const int (&a)[4], const int (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, "
        "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void multiply(const signed char* A, const signed char* B, signed char* C, int M, int N, int K,
                         float scale, int za, int zb, int zc) {
    __shared__ int As[ROWS][WORDS + 4], Bs[WORDS][COLUMNS + 8];
    __shared__ int row_sums[ROWS], col_sums[COLUMNS];
    int t = threadIdx.x, g = t % 32 / 4, q = t % 4;
    int m0 = blockIdx.y * ROWS, n0 = blockIdx.x * COLUMNS;
    int warp_row = t / 128 * 64, warp_col = t / 32 % 4 * 32;
    if (t < ROWS) row_sums[t] = col_sums[t] = 0;

    int sums[4][4][4] = {};
    int row_sum = 0, col_sum[4] = {};
    int row = m0 + t / 2;  // of A, half of its words
    for (int k0 = 0; k0 < K; k0 += 4 * WORDS) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            int w = t % 2 * 8 + i;
            int word = row < M ? load_word(A + (size_t)row * K, k0 + 4 * w, K) : 0;
            As[t / 2][w] = word;
            row_sum = __dp4a(word, ONES, row_sum);
        }
#pragma unroll
        for (int w = t / 32; w < WORDS; w += 8) {
            unsigned words[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                int k = k0 + 4 * w + i;
                words[i] = k < K ? load_word(B + (size_t)k * N, n0 + 4 * (t % 32), N) : 0;
            }
            transpose_bytes(words);
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                Bs[w][4 * (t % 32) + j] = words[j];
                col_sum[j] = __dp4a(static_cast<int>(words[j]), ONES, col_sum[j]);
            }
        }
        __syncthreads();
#pragma unroll 1
        for (int w = 0; w < WORDS; w += 8) {
            int a[4][4], b[4][2];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                int r = warp_row + 16 * i + g;
                a[i][0] = As[r][w + q], a[i][1] = As[r + 8][w + q];
                a[i][2] = As[r][w + q + 4], a[i][3] = As[r + 8][w + q + 4];
                int c = warp_col + 8 * i + g;
                b[i][0] = Bs[w + q][c], b[i][1] = Bs[w + q + 4][c];
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j) multiply_add(sums[i][j], a[i], b[j]);
            }
        }
        __syncthreads();
    }
    atomicAdd(&row_sums[t / 2], row_sum);
    for (int j = 0; j < 4; ++j) atomicAdd(&col_sums[4 * (t % 32) + j], col_sum[j]);
    __syncthreads();

    // Bytes of a tile gather in shared memory, so that whole rows of them are written.
    __shared__ __align__(16) signed char result[ROWS][COLUMNS + 16];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            int r = warp_row + 16 * i + 8 * h + g;
            int of_row = zb * row_sums[r] - K * za * zb;
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                int c = warp_col + 8 * j + 2 * q;
                *reinterpret_cast<char2*>(&result[r][c]) =
                    make_char2(quantized(sums[i][j][2 * h] - of_row - za * col_sums[c], scale, zc),
                               quantized(sums[i][j][2 * h + 1] - of_row - za * col_sums[c + 1], scale, zc));
            }
        }
    }
    __syncthreads();
    for (int r = t / 32; r < ROWS && m0 + r < M; r += 8) {
        store_word(C + (size_t)(m0 + r) * N, n0 + 4 * (t % 32), N, &result[r][4 * (t % 32)]);
    }
}

extern "C" void solve(const signed char* A, const signed char* B, signed char* C, int M, int N, int K,
                      float scale_A, float scale_B, float scale_C, int zero_point_A, int zero_point_B,
                      int zero_point_C) {
    dim3 blocks((N + COLUMNS - 1) / COLUMNS, (M + ROWS - 1) / ROWS);
    multiply<<<blocks, 256>>>(A, B, C, M, N, K, scale_A * scale_B / scale_C, zero_point_A, zero_point_B,
                              zero_point_C);
    cudaDeviceSynchronize();
}
