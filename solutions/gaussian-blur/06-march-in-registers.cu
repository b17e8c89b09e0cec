// For 3x3, 5x5 and 7x7: a thread owns four neighbouring columns and marches down the image. Every row is loaded once,
// as float4; what lies beside the four columns comes from the neighbouring lanes. Each row adds to the sums of all
// output rows that it touches, which wait in registers. No shared memory, no barrier. Other sizes take a plain kernel.
#include <cuda_runtime.h>

constexpr int THREADS = 128;  // 512 columns
constexpr int ROWS = 32;      // output rows per thread
constexpr unsigned ALL = 0xffffffffu;
constexpr int MAX_SIDE = 21;

__constant__ float weights[MAX_SIDE * MAX_SIDE];

template <int SIDE>
__global__ void __launch_bounds__(THREADS) march(const float* __restrict__ input, float* __restrict__ output,
                                                 int rows, int cols) {
    constexpr int P = SIDE / 2;  // up to 3, so the neighbouring lane's four columns suffice
    int lane = threadIdx.x % 32, c = (blockIdx.x * THREADS + threadIdx.x) * 4;
    int first = blockIdx.y * ROWS, end = min(first + ROWS, rows);
    auto load = [&](int r, int column) {
        bool is_inside = r >= 0 && r < rows && column >= 0 && column < cols;
        const float4* from = reinterpret_cast<const float4*>(input + (size_t)r * cols + column);
        return is_inside ? __ldg(from) : make_float4(0, 0, 0, 0);
    };
    float sum[SIDE][4] = {};  // of output rows r - P to r + P while row r is added
    float4 next = load(first - P, c), beside = lane == 0 ? load(first - P, c - 4) : load(first - P, c + 4);
    for (int r = first - P; r < end + P; ++r) {
        float4 own = next, other = beside;
        next = load(r + 1, c);  // on its way while this row is computed
        if (lane == 0) beside = load(r + 1, c - 4);
        if (lane == 31) beside = load(r + 1, c + 4);
        float x[12];  // columns c - 4 to c + 7
        float4 left, right;
        left.y = __shfl_up_sync(ALL, own.y, 1), right.x = __shfl_down_sync(ALL, own.x, 1);
        left.z = __shfl_up_sync(ALL, own.z, 1), right.y = __shfl_down_sync(ALL, own.y, 1);
        left.w = __shfl_up_sync(ALL, own.w, 1), right.z = __shfl_down_sync(ALL, own.z, 1);
        left.x = right.w = 0.0f;  // never used
        reinterpret_cast<float4*>(x)[0] = lane == 0 ? other : left;
        reinterpret_cast<float4*>(x)[1] = own;
        reinterpret_cast<float4*>(x)[2] = lane == 31 ? other : right;
#pragma unroll
        for (int k = 0; k < SIDE; ++k) {  // output row r - P + k sees this row through kernel row SIDE - 1 - k
#pragma unroll
            for (int j = 0; j < SIDE; ++j) {
#pragma unroll
                for (int q = 0; q < 4; ++q) {
                    sum[k][q] += x[4 + q + j - P] * weights[(SIDE - 1 - k) * SIDE + j];
                }
            }
        }
        if (r - P >= first && c < cols) {
            __stcs(reinterpret_cast<float4*>(output + (size_t)(r - P) * cols + c),
                   make_float4(sum[0][0], sum[0][1], sum[0][2], sum[0][3]));
        }
#pragma unroll
        for (int q = 0; q < 4; ++q) {
#pragma unroll
            for (int k = 0; k < SIDE - 1; ++k) {
                sum[k][q] = sum[k + 1][q];
            }
            sum[SIDE - 1][q] = 0.0f;
        }
    }
}

__global__ void plain(const float* input, float* output, int rows, int cols, int kernel_rows, int kernel_cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols) {
        return;
    }
    float sum = 0.0f;
    for (int i = 0; i < kernel_rows; ++i) {
        for (int j = 0; j < kernel_cols; ++j) {
            int y = r + i - kernel_rows / 2, x = c + j - kernel_cols / 2;
            if (y >= 0 && y < rows && x >= 0 && x < cols) {
                sum += input[y * cols + x] * weights[i * kernel_cols + j];
            }
        }
    }
    output[r * cols + c] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
    size_t bytes = kernel_rows * kernel_cols * sizeof(float);
    cudaMemcpyToSymbol(weights, kernel, bytes, 0, cudaMemcpyDeviceToDevice);
    dim3 grid((input_cols / 4 + THREADS - 1) / THREADS, (input_rows + ROWS - 1) / ROWS);
    int side = kernel_rows == kernel_cols && input_cols % 4 == 0 ? kernel_rows : 0;
    if (side == 3) {
        march<3><<<grid, THREADS>>>(input, output, input_rows, input_cols);
    } else if (side == 5) {
        march<5><<<grid, THREADS>>>(input, output, input_rows, input_cols);
    } else if (side == 7) {
        march<7><<<grid, THREADS>>>(input, output, input_rows, input_cols);
    } else {
        dim3 blocks((input_cols + 31) / 32, (input_rows + 7) / 8);
        plain<<<blocks, dim3(32, 8)>>>(input, output, input_rows, input_cols, kernel_rows, kernel_cols);
    }
    cudaDeviceSynchronize();
}
