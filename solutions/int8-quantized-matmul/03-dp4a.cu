// __dp4a multiplies four bytes by four others and adds them up. It wants four values of k in a word, which A has
// side by side; for B, four rows of a word each are transposed on the way into shared memory. Zero points leave
// the loop: the sums of rows and columns that correct for them are added up by the threads that load the tiles.
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

constexpr int TILE = 64;   // rows and columns of C per block, 4 x 4 of them per thread
constexpr int DEPTH = 32;  // of k per step, as 8 words
constexpr int ONES = 0x01010101;

__global__ void multiply(const signed char* A, const signed char* B, signed char* C, int M, int N, int K,
                         float scale, int za, int zb, int zc) {
    __shared__ int As[DEPTH / 4][TILE + 4];  // by k first: a thread's four rows are neighbours
    __shared__ int4 Bs[DEPTH / 4][TILE / 4];
    __shared__ int row_sums[TILE], col_sums[TILE];
    int t = threadIdx.x, m0 = blockIdx.y * TILE, n0 = blockIdx.x * TILE;
    if (t < TILE) row_sums[t] = col_sums[t] = 0;
    __syncthreads();

    int sums[4][4] = {};
    int row = t % TILE, word = t / TILE;     // of A: this word and the one four further on
    int quad = t % 16, rows = t / 16;        // of B, for the first 128 threads: columns 4 quad ..., rows 4 rows ...
    int row_sum = 0, col_sum[4] = {};
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
#pragma unroll
        for (int w = word; w < DEPTH / 4; w += 4) {
            int loaded = m0 + row < M ? load_word(A + (size_t)(m0 + row) * K, k0 + 4 * w, K) : 0;
            As[w][row] = loaded;
            row_sum = __dp4a(loaded, ONES, row_sum);
        }
        if (t < 128) {
            unsigned words[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                int k = k0 + 4 * rows + i;
                words[i] = k < K ? load_word(B + (size_t)k * N, n0 + 4 * quad, N) : 0;
            }
            transpose_bytes(words);
            Bs[rows][quad] = make_int4(words[0], words[1], words[2], words[3]);
#pragma unroll
            for (int j = 0; j < 4; ++j) col_sum[j] = __dp4a(static_cast<int>(words[j]), ONES, col_sum[j]);
        }
        __syncthreads();
#pragma unroll
        for (int w = 0; w < DEPTH / 4; ++w) {
            int4 a = *reinterpret_cast<int4*>(&As[w][4 * (t / 16)]);
            int4 b = Bs[w][t % 16];
            int as[4] = {a.x, a.y, a.z, a.w}, bs[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j) sums[i][j] = __dp4a(as[i], bs[j], sums[i][j]);
            }
        }
        __syncthreads();
    }
    atomicAdd(&row_sums[row], row_sum);
    if (t < 128) {
        for (int j = 0; j < 4; ++j) atomicAdd(&col_sums[4 * quad + j], col_sum[j]);
    }
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        int r = 4 * (t / 16) + i;
        for (int j = 0; j < 4; ++j) {
            int c = 4 * (t % 16) + j;
            if (m0 + r < M && n0 + c < N) {
                int sum = sums[i][j] - zb * row_sums[r] - za * col_sums[c] + K * za * zb;
                C[(size_t)(m0 + r) * N + n0 + c] = quantized(sum, scale, zc);
            }
        }
    }
}

extern "C" void solve(const signed char* A, const signed char* B, signed char* C, int M, int N, int K,
                      float scale_A, float scale_B, float scale_C, int zero_point_A, int zero_point_B,
                      int zero_point_C) {
    dim3 blocks((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    multiply<<<blocks, 256>>>(A, B, C, M, N, K, scale_A * scale_B / scale_C, zero_point_A, zero_point_B,
                              zero_point_C);
    cudaDeviceSynchronize();
}
