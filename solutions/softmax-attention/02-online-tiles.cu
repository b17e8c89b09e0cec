// Sixteen queries share tiles of sixteen keys and values in shared memory, and the softmax is kept up to date
// while tiles go by: no query needs all its scores at once, and keys are read once per sixteen queries.
// One score a thread: two words from shared memory for each multiply-add.
#include <cuda_runtime.h>

constexpr int T = 16;  // queries and keys per tile; T x T threads
constexpr int MAX_D = 128, PITCH = MAX_D + 1;  // padded: lanes read down a column of K
constexpr float LOWEST = -3.402823466e38f;

__device__ void load(float (&tile)[T][PITCH], const float* rows, int first, int count, int d) {
    for (int c = threadIdx.x; c < d; c += T) {
        tile[threadIdx.y][c] = first + threadIdx.y < count ? rows[(size_t)(first + threadIdx.y) * d + c] : 0.0f;
    }
}

__global__ void attend(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    __shared__ float q[T][PITCH], k[T][PITCH], v[T][PITCH], weights[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, first = blockIdx.x * T;
    load(q, Q, first, M, d);
    float out[MAX_D / T] = {};  // columns tx, tx + 16 ...
    float m = LOWEST, l = 0.0f;
    for (int keys = 0; keys < N; keys += T) {
        __syncthreads();  // the last tile has been used
        load(k, K, keys, N, d);
        load(v, V, keys, N, d);
        __syncthreads();
        float score = 0.0f;
        for (int c = 0; c < d; ++c) {
            score += q[ty][c] * k[tx][c];
        }
        score = keys + tx < N ? score / sqrtf(d) : LOWEST;
        float larger = fmaxf(m, score);
        for (int offset = T / 2; offset > 0; offset /= 2) {  // the sixteen threads of a query are neighbours
            larger = fmaxf(larger, __shfl_xor_sync(0xffffffffu, larger, offset));
        }
        float shrink = expf(m - larger), weight = keys + tx < N ? expf(score - larger) : 0.0f;
        m = larger;
        l = l * shrink + weight;  // of this thread's keys
        weights[ty][tx] = weight;
        __syncwarp();
#pragma unroll
        for (int i = 0; i < MAX_D / T; ++i) {
            if (tx + i * T < d) {
                float weighed = 0.0f;
                for (int j = 0; j < T; ++j) {
                    weighed += weights[ty][j] * v[j][tx + i * T];
                }
                out[i] = out[i] * shrink + weighed;
            }
        }
    }
    for (int offset = T / 2; offset > 0; offset /= 2) {
        l += __shfl_xor_sync(0xffffffffu, l, offset);
    }
#pragma unroll
    for (int i = 0; i < MAX_D / T; ++i) {
        if (first + ty < M && tx + i * T < d) {
            output[(size_t)(first + ty) * d + tx + i * T] = out[i] / l;
        }
    }
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
    attend<<<(M + T - 1) / T, dim3(T, T)>>>(Q, K, V, output, M, N, d);
    cudaDeviceSynchronize();
}
