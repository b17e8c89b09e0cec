// The row is read once and stays in registers: a thread requests all its float4 before the first comparison,
// then finds maximum, exponentials and sum without touching memory again. 8 bytes of traffic per element.
// A group of G threads has a row: a warp for short rows, a block for rows up to 8192. Rows that do not fit,
// or are no multiple of four long, are read twice with a running pair of maximum and sum.
#include <cuda_runtime.h>

constexpr float LOWEST = -3.402823466e38f;  // finite: -infinity minus -infinity is not a number

__device__ float larger(float a, float b) { return fmaxf(a, b); }
__device__ float added(float a, float b) { return a + b; }

// Combined over G neighbouring threads, complete in all of them; a block of G threads if G is above 32.
template <int G>
__device__ float over_group(float value, float (&combine)(float, float)) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
        value = combine(value, __shfl_xor_sync(0xffffffffu, value, offset));
    }
    if (G > 32) {
        __shared__ float warps[G / 32];
        __syncthreads();  // nobody reads the results of the last call any more
        if (threadIdx.x % 32 == 0) {
            warps[threadIdx.x / 32] = value;
        }
        __syncthreads();
        value = warps[threadIdx.x % (G / 32)];
#pragma unroll
        for (int offset = G / 64; offset > 0; offset /= 2) {
            value = combine(value, __shfl_xor_sync(0xffffffffu, value, offset));
        }
    }
    return value;
}

template <int G, int QUADS>  // cols <= 4 * G * QUADS
__global__ void __launch_bounds__(G < 128 ? 128 : G)
    in_registers(const float* __restrict__ input, float* __restrict__ output, int rows, int cols) {
    int row = blockIdx.x * (blockDim.x / G) + threadIdx.x / G, lane = threadIdx.x % G;
    if (row >= rows) {
        return;  // whole warps
    }
    const float4* x = reinterpret_cast<const float4*>(input + (size_t)row * cols);
    float4* y = reinterpret_cast<float4*>(output + (size_t)row * cols);
    float4 v[QUADS];
#pragma unroll
    for (int k = 0; k < QUADS; ++k) {
        int q = lane + G * k;
        v[k] = q < cols / 4 ? __ldcs(x + q) : make_float4(LOWEST, LOWEST, LOWEST, LOWEST);
    }
    float m = LOWEST;
#pragma unroll
    for (int k = 0; k < QUADS; ++k) {
        m = fmaxf(m, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
    }
    m = over_group<G>(m, larger);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < QUADS; ++k) {
        v[k] = make_float4(__expf(v[k].x - m), __expf(v[k].y - m), __expf(v[k].z - m), __expf(v[k].w - m));
        sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    float scale = 1.0f / over_group<G>(sum, added);
#pragma unroll
    for (int k = 0; k < QUADS; ++k) {
        int q = lane + G * k;
        if (q < cols / 4) {
            __stcs(y + q, make_float4(v[k].x * scale, v[k].y * scale, v[k].z * scale, v[k].w * scale));
        }
    }
}

template <int G>
__global__ void twice(const float* __restrict__ input, float* __restrict__ output, int cols) {
    const float* x = input + (size_t)blockIdx.x * cols;
    float* y = output + (size_t)blockIdx.x * cols;
    float own = LOWEST, sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += G) {
        float score = x[c];
        if (score > own) {  // seldom: a new maximum costs an exponential more
            sum *= __expf(own - score);
            own = score;
        }
        sum += __expf(score - own);
    }
    float m = over_group<G>(own, larger);
    float scale = 1.0f / over_group<G>(sum * __expf(own - m), added);
    for (int c = threadIdx.x; c < cols; c += G) {
        __stcs(y + c, __expf(x[c] - m) * scale);
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    if (cols % 4 != 0 || cols > 8192) {
        twice<512><<<rows, 512>>>(input, output, cols);
    } else if (cols <= 512) {
        in_registers<32, 4><<<(rows + 3) / 4, 128>>>(input, output, rows, cols);
    } else if (cols <= 2048) {
        in_registers<128, 4><<<rows, 128>>>(input, output, rows, cols);
    } else {
        in_registers<512, 4><<<rows, 512>>>(input, output, rows, cols);
    }
    cudaDeviceSynchronize();
}
