// One kernel, one thread per output value: nothing but the frames is read and nothing but the planes is
// written. Each of a pixel's three threads computes the same place and the same weights.
#include <cuda_runtime.h>

struct Sizes {
    int batch, in_height, in_width, out_height, out_width;
};

__device__ float place(int i, int in, int out) {
    float s = (i + 0.5f) * ((float)in / out) - 0.5f;
    return fminf(fmaxf(s, 0.0f), in - 1.0f);
}

__global__ void preprocess(const unsigned char* frames, const float* mean, const float* std, float* output,
                           Sizes z) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    int b = blockIdx.z / 3, c = blockIdx.z % 3;
    if (x >= z.out_width) {
        return;
    }
    float sy = place(y, z.in_height, z.out_height), sx = place(x, z.in_width, z.out_width);
    int y0 = (int)sy, x0 = (int)sx, y1 = min(y0 + 1, z.in_height - 1), x1 = min(x0 + 1, z.in_width - 1);
    float fy = sy - y0, fx = sx - x0;
    const unsigned char* frame = frames + (size_t)b * z.in_height * z.in_width * 3 + 2 - c;
    auto at = [&](int r, int q) { return (float)frame[(r * z.in_width + q) * 3]; };
    float upper = at(y0, x0) + fx * (at(y0, x1) - at(y0, x0));
    float lower = at(y1, x0) + fx * (at(y1, x1) - at(y1, x0));
    float value = upper + fy * (lower - upper);
    output[(((size_t)b * 3 + c) * z.out_height + y) * z.out_width + x] = (value / 255.0f - mean[c]) / std[c];
}

extern "C" void solve(const unsigned char* frames, const float* mean, const float* std, float* output, int batch,
                      int in_height, int in_width, int out_height, int out_width) {
    Sizes sizes = {batch, in_height, in_width, out_height, out_width};
    dim3 grid((out_width + 127) / 128, out_height, 3 * batch);
    preprocess<<<grid, 128>>>(frames, mean, std, output, sizes);
    cudaDeviceSynchronize();
}
