// As a chain of library calls would do it: one kernel resizes to floats, one swaps the channels and scales to
// 0 ... 1, one normalises and writes planes. Every step writes an image that the next one reads.
#include <cuda_runtime.h>

struct Sizes {
    int batch, in_height, in_width, out_height, out_width;
};

__device__ float place(int i, int in, int out) {
    float s = (i + 0.5f) * ((float)in / out) - 0.5f;
    return fminf(fmaxf(s, 0.0f), in - 1.0f);
}

__global__ void resize(const unsigned char* frames, float* pixels, Sizes z) {  // one thread per value
    int i = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, b = blockIdx.z;
    if (i >= 3 * z.out_width) {
        return;
    }
    int x = i / 3, c = i % 3;
    float sy = place(y, z.in_height, z.out_height), sx = place(x, z.in_width, z.out_width);
    int y0 = (int)sy, x0 = (int)sx, y1 = min(y0 + 1, z.in_height - 1), x1 = min(x0 + 1, z.in_width - 1);
    float fy = sy - y0, fx = sx - x0;
    const unsigned char* frame = frames + (size_t)b * z.in_height * z.in_width * 3 + c;
    auto at = [&](int r, int q) { return (float)frame[(r * z.in_width + q) * 3]; };
    float upper = at(y0, x0) + fx * (at(y0, x1) - at(y0, x0));
    float lower = at(y1, x0) + fx * (at(y1, x1) - at(y1, x0));
    pixels[((size_t)b * z.out_height + y) * z.out_width * 3 + i] = upper + fy * (lower - upper);
}

__global__ void to_rgb(const float* bgr, float* rgb, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        for (int c = 0; c < 3; ++c) {
            rgb[3 * (size_t)i + c] = bgr[3 * (size_t)i + 2 - c] / 255.0f;
        }
    }
}

__global__ void normalise(const float* rgb, const float* mean, const float* std, float* output, int plane,
                          int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        for (int c = 0; c < 3; ++c) {
            size_t to = ((size_t)(i / plane) * 3 + c) * plane + i % plane;
            output[to] = (rgb[3 * (size_t)i + c] - mean[c]) / std[c];
        }
    }
}

extern "C" void solve(const unsigned char* frames, const float* mean, const float* std, float* output, int batch,
                      int in_height, int in_width, int out_height, int out_width) {
    Sizes sizes = {batch, in_height, in_width, out_height, out_width};
    int plane = out_height * out_width, pixels = batch * plane;
    float *resized, *rgb;
    cudaMalloc(&resized, (size_t)pixels * 3 * sizeof(float));
    cudaMalloc(&rgb, (size_t)pixels * 3 * sizeof(float));
    resize<<<dim3((3 * out_width + 127) / 128, out_height, batch), 128>>>(frames, resized, sizes);
    to_rgb<<<(pixels + 255) / 256, 256>>>(resized, rgb, pixels);
    normalise<<<(pixels + 255) / 256, 256>>>(rgb, mean, std, output, plane, pixels);
    cudaFree(resized);
    cudaFree(rgb);
    cudaDeviceSynchronize();
}
