// Aligns the corners instead of the edges. -> wrong_answer
#include <cuda_runtime.h>

__device__ float place(int i, int in, int out) {
    float s = out > 1 ? i * ((in - 1.0f) / (out - 1.0f)) : 0;
    return fminf(fmaxf(s, 0.0f), in - 1.0f);
}

__global__ void preprocess(const unsigned char* frames, const float* mean, const float* std, float* output,
                           int in_height, int in_width, int out_height, int out_width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, b = blockIdx.z;
    if (x >= out_width) return;
    float sy = place(y, in_height, out_height), sx = place(x, in_width, out_width);
    int y0 = (int)sy, x0 = (int)sx, y1 = min(y0 + 1, in_height - 1), x1 = min(x0 + 1, in_width - 1);
    float fy = sy - y0, fx = sx - x0;
    const unsigned char* frame = frames + b * in_height * in_width * 3;
    for (int c = 0; c < 3; ++c) {
        auto at = [&](int r, int q) { return (float)frame[(r * in_width + q) * 3 + 2 - c]; };
        float upper = at(y0, x0) * (1 - fx) + at(y0, x1) * fx;
        float lower = at(y1, x0) * (1 - fx) + at(y1, x1) * fx;
        float value = upper * (1 - fy) + lower * fy;
        output[((b * 3 + c) * out_height + y) * out_width + x] = (value / 255 - mean[c]) / std[c];
    }
}

extern "C" void solve(const unsigned char* frames, const float* mean, const float* std, float* output, int batch,
                      int in_height, int in_width, int out_height, int out_width) {
    dim3 grid((out_width + 127) / 128, out_height, batch);
    preprocess<<<grid, 128>>>(frames, mean, std, output, in_height, in_width, out_height, out_width);
    cudaDeviceSynchronize();
}
