// Two sets of tiles: the next step's numbers are requested before this step's arithmetic and stored after it.
// Global latency hides behind 512 multiply-adds per thread, and one barrier per step is enough.
#include <cuda_runtime.h>

constexpr int BM = 128;  // rows of C per block
constexpr int BK = 128;  // columns of C per block
constexpr int BN = 8;    // inner dimension per step
constexpr int GAP = 64;  // a thread's square is four 4x4 quads this far apart
constexpr int PAD = 4;   // keeps the transposing stores of A free of bank conflicts
constexpr int THREADS = 256;

// Four neighbours of a row, zeros outside. ALIGNED: all rows have a multiple of four elements.
template <bool ALIGNED>
__device__ float4 load4(const float* matrix, int row, int col, int rows, int cols) {
    if (row >= rows || col >= cols) {
        return make_float4(0, 0, 0, 0);
    }
    const float* p = matrix + (size_t)row * cols + col;
    if constexpr (ALIGNED) {
        return *reinterpret_cast<const float4*>(p);
    } else {
        return make_float4(p[0], col + 1 < cols ? p[1] : 0, col + 2 < cols ? p[2] : 0,
                           col + 3 < cols ? p[3] : 0);
    }
}

template <bool ALIGNED>
__device__ void store4(float* matrix, int row, int col, int rows, int cols, const float* v) {
    if (row >= rows || col >= cols) {
        return;
    }
    float* p = matrix + (size_t)row * cols + col;
    if constexpr (ALIGNED) {
        *reinterpret_cast<float4*>(p) = make_float4(v[0], v[1], v[2], v[3]);
    } else {
        for (int j = 0; j < 4 && col + j < cols; ++j) {
            p[j] = v[j];
        }
    }
}

__device__ void read4(float* to, const float* from) {
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
}

template <bool ALIGNED>
__global__ void __launch_bounds__(THREADS, 2)
multiply(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K) {
    __shared__ __align__(16) float a_tile[2][BN][BM + PAD];  // transposed
    __shared__ __align__(16) float b_tile[2][BN][BK];
    int tid = threadIdx.x;
    constexpr int UNROLL = ALIGNED ? BN : 1;  // the aligned kernel is the one for speed
    int row0 = blockIdx.y * BM, col0 = blockIdx.x * BK;
    int a_row = tid / 2, a_n = tid % 2 * 4;    // the float4 this thread loads from A
    int b_n = tid / 32, b_col = tid % 32 * 4;  // and from B
    int first_row = tid / 16 * 4, first_col = tid % 16 * 4;
    float sum[8][8] = {};
    float4 a_in = load4<ALIGNED>(A, row0 + a_row, a_n, M, N);
    float4 b_in = load4<ALIGNED>(B, b_n, col0 + b_col, N, K);
    int buffer = 0;
    for (int n0 = 0; n0 < N; n0 += BN) {
        // Nobody reads this buffer any more: its last readers passed the previous step's barrier afterwards.
        a_tile[buffer][a_n + 0][a_row] = a_in.x;
        a_tile[buffer][a_n + 1][a_row] = a_in.y;
        a_tile[buffer][a_n + 2][a_row] = a_in.z;
        a_tile[buffer][a_n + 3][a_row] = a_in.w;
        *reinterpret_cast<float4*>(&b_tile[buffer][b_n][b_col]) = b_in;
        __syncthreads();
        a_in = load4<ALIGNED>(A, row0 + a_row, n0 + BN + a_n, M, N);  // arrives during the arithmetic
        b_in = load4<ALIGNED>(B, n0 + BN + b_n, col0 + b_col, N, K);
#pragma unroll UNROLL
        for (int n = 0; n < BN; ++n) {
            float a[8], b[8];
            read4(a, &a_tile[buffer][n][first_row]);
            read4(a + 4, &a_tile[buffer][n][first_row + GAP]);
            read4(b, &b_tile[buffer][n][first_col]);
            read4(b + 4, &b_tile[buffer][n][first_col + GAP]);
#pragma unroll
            for (int i = 0; i < 8; ++i) {
#pragma unroll
                for (int j = 0; j < 8; ++j) {
                    sum[i][j] += a[i] * b[j];
                }
            }
        }
        buffer ^= 1;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        int row = row0 + first_row + i % 4 + i / 4 * GAP;
        store4<ALIGNED>(C, row, col0 + first_col, M, K, sum[i]);
        store4<ALIGNED>(C, row, col0 + first_col + GAP, M, K, sum[i] + 4);
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
    dim3 grid((K + BK - 1) / BK, (M + BM - 1) / BM);
    if (N % 4 == 0 && K % 4 == 0) {
        multiply<true><<<grid, THREADS>>>(A, B, C, M, N, K);
    } else {
        multiply<false><<<grid, THREADS>>>(A, B, C, M, N, K);
    }
    cudaDeviceSynchronize();
}
