// Sixteen heads of a sequence share tiles of sixteen tokens in shared memory, once as keys and once as values, and keep
// the softmax up to date. The tokens are split into parts, so that there are blocks enough; a second kernel merges
// them. One score a thread: two words from shared memory for each multiply-add, on the ordinary cores.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;
constexpr int KEY = 576, VALUE = 512, T = 16, PITCH = KEY + 1;  // padded: lanes read down a column
constexpr int PART = 512, ROW = VALUE + 2;  // tokens of a block; what a part leaves: output, largest score, sum
constexpr float LOWEST = -1e30f;

__device__ void load(float (*tile)[PITCH], const bf16* rows, int first, int count) {  // zeros beyond
    for (int c = threadIdx.x; c < KEY; c += T) {
        int row = first + threadIdx.y;
        tile[threadIdx.y][c] = row < count ? __bfloat162float(rows[(size_t)row * KEY + c]) : 0.0f;
    }
}

__global__ void attend(const bf16* Q, const bf16* C, float* parts, int H, int N, float scale) {
    extern __shared__ float shared[];
    __shared__ float weights[T][T];
    float(*q)[PITCH] = reinterpret_cast<float(*)[PITCH]>(shared);
    float(*c)[PITCH] = q + T;
    int tx = threadIdx.x, ty = threadIdx.y, head = blockIdx.y * T + ty;
    int first = blockIdx.x * PART, last = min(first + PART, N);
    load(q, Q + (size_t)blockIdx.z * H * KEY, blockIdx.y * T, H);
    float out[VALUE / T] = {}, m = LOWEST, l = 0.0f;  // columns tx, tx + 16 ...
    for (int tokens = first; tokens < last; tokens += T) {
        __syncthreads();  // the last tile has been used
        load(c, C + (size_t)blockIdx.z * N * KEY, tokens, last);
        __syncthreads();
        float score = 0.0f;
        for (int i = 0; i < KEY; ++i) {
            score += q[ty][i] * c[tx][i];
        }
        score = tokens + tx < last ? score * scale : LOWEST;
        float larger = fmaxf(m, score);
        for (int offset = T / 2; offset > 0; offset /= 2) {  // the sixteen threads of a head are neighbours
            larger = fmaxf(larger, __shfl_xor_sync(0xffffffffu, larger, offset));
        }
        float shrink = expf(m - larger), weight = tokens + tx < last ? expf(score - larger) : 0.0f;
        m = larger;
        l = l * shrink + weight;  // of this thread's tokens
        weights[ty][tx] = weight;
        __syncwarp();
#pragma unroll
        for (int i = 0; i < VALUE / T; ++i) {
            float weighed = 0.0f;
#pragma unroll 4
            for (int j = 0; j < T; ++j) {
                weighed += weights[ty][j] * c[j][tx + i * T];
            }
            out[i] = out[i] * shrink + weighed;
        }
    }
    for (int offset = T / 2; offset > 0; offset /= 2) {
        l += __shfl_xor_sync(0xffffffffu, l, offset);
    }
    if (head < H) {
        float* part = parts + (((size_t)blockIdx.z * H + head) * gridDim.x + blockIdx.x) * ROW;
#pragma unroll
        for (int i = 0; i < VALUE / T; ++i) {
            part[tx + i * T] = out[i];
        }
        if (tx == 0) {
            part[VALUE] = m;
            part[VALUE + 1] = l;
        }
    }
}

__global__ void merge(const float* parts, bf16* output, int count) {
    const float* mine = parts + (size_t)blockIdx.x * count * ROW;
    float top = LOWEST, out = 0.0f, sum = 0.0f;
    for (int p = 0; p < count; ++p) {
        top = fmaxf(top, mine[p * ROW + VALUE]);
    }
    for (int p = 0; p < count; ++p) {
        float share = expf(mine[p * ROW + VALUE] - top);
        out += share * mine[p * ROW + threadIdx.x];
        sum += share * mine[p * ROW + VALUE + 1];
    }
    output[(size_t)blockIdx.x * VALUE + threadIdx.x] = __float2bfloat16(out / sum);
}

extern "C" void solve(const bf16* Q, const bf16* C, bf16* output, int B, int H, int N, float scale) {
    int count = (N + PART - 1) / PART, bytes = 2 * T * PITCH * (int)sizeof(float);
    float* parts;
    cudaMalloc(&parts, (size_t)B * H * count * ROW * sizeof(float));
    cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    attend<<<dim3(count, (H + T - 1) / T, B), dim3(T, T), bytes>>>(Q, C, parts, H, N, scale);
    merge<<<B * H, VALUE>>>(parts, output, count);
    cudaDeviceSynchronize();
    cudaFree(parts);
}
