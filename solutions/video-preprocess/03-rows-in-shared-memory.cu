// A block makes one output row. The two input rows that it needs come in 16-byte loads and wait in shared
// memory, where single bytes are cheap to pick, and normalising is one multiply-add. Rows that do not begin at
// multiples of 16 bytes are copied by bytes.
#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int ROW_BYTES = 3 * 4096;  // the widest frame

struct Sizes {
    int batch, in_height, in_width, out_height, out_width;
};

__device__ float place(int i, float ratio, int in) {
    float s = (i + 0.5f) * ratio - 0.5f;
    return fminf(fmaxf(s, 0.0f), in - 1.0f);
}

__device__ void copy_row(const unsigned char* row, uint4* to, int bytes) {
    if (bytes % 16 == 0) {
        for (int k = threadIdx.x; k < bytes / 16; k += THREADS) {
            to[k] = __ldg(reinterpret_cast<const uint4*>(row) + k);
        }
    } else {
        for (int k = threadIdx.x; k < bytes; k += THREADS) {
            reinterpret_cast<unsigned char*>(to)[k] = row[k];
        }
    }
}

__global__ void __launch_bounds__(THREADS) preprocess(const unsigned char* __restrict__ frames,
                                                      const float* __restrict__ mean,
                                                      const float* __restrict__ std,
                                                      float* __restrict__ output, Sizes z) {
    __shared__ uint4 rows[2][ROW_BYTES / 16];
    int y = blockIdx.x, b = blockIdx.y, row_bytes = z.in_width * 3;
    float sy = place(y, (float)z.in_height / z.out_height, z.in_height);
    int y0 = (int)sy, y1 = min(y0 + 1, z.in_height - 1);
    float fy = sy - y0, ratio = (float)z.in_width / z.out_width;
    const unsigned char* frame = frames + (size_t)b * z.in_height * row_bytes;
    copy_row(frame + (size_t)y0 * row_bytes, rows[0], row_bytes);
    copy_row(frame + (size_t)y1 * row_bytes, rows[1], row_bytes);
    float scale[3], shift[3];
#pragma unroll
    for (int c = 0; c < 3; ++c) {
        scale[c] = 1.0f / (255.0f * std[c]);
        shift[c] = -mean[c] / std[c];
    }
    __syncthreads();

    const unsigned char* upper = reinterpret_cast<const unsigned char*>(rows[0]);
    const unsigned char* lower = reinterpret_cast<const unsigned char*>(rows[1]);
    size_t plane = (size_t)z.out_height * z.out_width;
    float* to = output + b * 3 * plane + (size_t)y * z.out_width;
    for (int x = threadIdx.x; x < z.out_width; x += THREADS) {
        float sx = place(x, ratio, z.in_width);
        int x0 = (int)sx, x1 = min(x0 + 1, z.in_width - 1);
        float fx = sx - x0;
#pragma unroll
        for (int c = 0; c < 3; ++c) {
            int left = x0 * 3 + 2 - c, right = x1 * 3 + 2 - c;
            float above = upper[left] + fx * ((float)upper[right] - upper[left]);
            float below = lower[left] + fx * ((float)lower[right] - lower[left]);
            to[c * plane + x] = (above + fy * (below - above)) * scale[c] + shift[c];
        }
    }
}

extern "C" void solve(const unsigned char* frames, const float* mean, const float* std, float* output, int batch,
                      int in_height, int in_width, int out_height, int out_width) {
    Sizes sizes = {batch, in_height, in_width, out_height, out_width};
    preprocess<<<dim3(out_height, batch), THREADS>>>(frames, mean, std, output, sizes);
    cudaDeviceSynchronize();
}
