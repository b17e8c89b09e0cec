// The kernels of questions/diagnosis, what fixes them, and those of two other strategy questions, timed:
// what their statements say about an H200 is from here.
//
//     nvcc -O3 -arch=sm_90 -o exhibits benchmarks/exhibits.cu && ./exhibits
//
// Each line: microseconds (median of ten), bytes that have to move over that time, and its share of 4.8 TB/s.

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void scale_rows(const float* x, float* y, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float factor = 1.0f / (1 + row % 7);
    for (int col = 0; col < 64; ++col) {
        float value = x[row * 64 + col];  // 1
        y[row * 64 + col] = factor * value;  // 2
    }
}

__global__ void flip(const float* x, float* y, int n) {
    __shared__ float tile[32][32];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = x[(row + j) * n + col];  // 1
    __syncthreads();
    col = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        y[(row + j) * n + col] = tile[threadIdx.x][threadIdx.y + j];  // 2
}

__global__ void smooth(const float* x, float* y, int n) {
    __shared__ float stage[12288];
    const float4* in = reinterpret_cast<const float4*>(x);
    float4* out = reinterpret_cast<float4*>(y);
    float4* part = reinterpret_cast<float4*>(stage);
    int i = blockIdx.x * 128 + threadIdx.x;
    part[threadIdx.x] = in[i];            // 1
    part[threadIdx.x + 64] = in[i + 64];  // 2
    __syncthreads();
    for (int j = threadIdx.x; j < 128; j += 64) {
        float4 a = part[j], b = part[(j + 127) % 128];
        out[blockIdx.x * 128 + j] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);  // 3
    }
}

__global__ void filter(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float window[32];
    for (int k = 0; k < 32; ++k) window[k] = x[k * n + i];  // 1
    int first = static_cast<int>(window[0]) & 31;
    float sum = 0.0f;
    for (int k = 0; k < 32; ++k) sum += window[(first + k) & 31] * (k + 1);
    y[i] = sum;  // 2
}

// The same with the causes removed.

__global__ void scale_along_rows(const float4* x, float4* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 16 * n) return;
    float factor = 1.0f / (1 + (i / 16) % 7);
    float4 v = x[i];
    y[i] = make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
}

__global__ void flip_padded(const float* x, float* y, int n) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = x[(row + j) * n + col];
    __syncthreads();
    col = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) y[(row + j) * n + col] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void smooth_small(const float* x, float* y, int n) {
    __shared__ float4 part[128];
    const float4* in = reinterpret_cast<const float4*>(x);
    float4* out = reinterpret_cast<float4*>(y);
    int i = blockIdx.x * 128 + threadIdx.x;
    part[threadIdx.x] = in[i];
    part[threadIdx.x + 64] = in[i + 64];
    __syncthreads();
    for (int j = threadIdx.x; j < 128; j += 64) {
        float4 a = part[j], b = part[(j + 127) % 128];
        out[blockIdx.x * 128 + j] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
}

__global__ void filter_turned(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float window[32];
    for (int k = 0; k < 32; ++k) window[k] = x[k * n + i];
    int first = static_cast<int>(window[0]) & 31;
    float sum = 0.0f;
    for (int k = 0; k < 32; ++k) sum += window[k] * (((k - first) & 31) + 1);
    y[i] = sum;
}

// Of optimise-transpose and histogram-of-skewed-data.

__global__ void naive_transpose(const float* x, float* y, int n) {
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    y[col * n + row] = x[row * n + col];
}

__global__ void copy(const float4* x, float4* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}

__global__ void count_keys(const uint4* keys, unsigned* out, int n) {
    __shared__ unsigned count[256];
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        uint4 v = keys[i];
        unsigned words[4] = {v.x, v.y, v.z, v.w};
        for (int a = 0; a < 4; ++a)
            for (int b = 0; b < 4; ++b) atomicAdd(&count[(words[a] >> (8 * b)) & 255], 1u);
    }
    __syncthreads();
    atomicAdd(&out[threadIdx.x], count[threadIdx.x]);
}

__global__ void sum_by_key(const uchar4* keys, const uint4* amounts, unsigned* out, int n) {
    __shared__ unsigned sums[256];
    sums[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        uchar4 key = keys[i];
        uint4 amount = amounts[i];
        atomicAdd(&sums[key.x], amount.x);
        atomicAdd(&sums[key.y], amount.y);
        atomicAdd(&sums[key.z], amount.z);
        atomicAdd(&sums[key.w], amount.w);
    }
    __syncthreads();
    atomicAdd(&out[threadIdx.x], sums[threadIdx.x]);
}

// Bytes of which so many per cent are zero, and the others random.
__global__ void draw(unsigned* words, int percent) {
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    unsigned word = 0;
    for (int b = 0; b < 4; ++b) {
        unsigned long long h = (i * 4 + b + 1) * 0x9E3779B97F4A7C15ull;  // splitmix64
        h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
        h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
        h ^= h >> 31;
        bool zero = int((h >> 32) % 100) < percent;
        word |= (zero ? 0u : unsigned(h & 255)) << (8 * b);
    }
    words[i] = word;
}

template <class Launch>
void report(const char* name, double bytes, Launch launch) {
    cudaEvent_t before, after;
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    std::vector<float> times;
    for (int i = 0; i < 12; ++i) {
        cudaEventRecord(before);
        launch();
        cudaEventRecord(after);
        cudaEventSynchronize(after);
        float ms = 0;
        cudaEventElapsedTime(&ms, before, after);
        if (i > 1) times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    double us = times[times.size() / 2] * 1e3;
    printf("%-32s %8.1f us  %6.3f TB/s  %5.1f %%  %s\n", name, us, bytes / us / 1e6, bytes / us / 4.8e4,
           cudaGetErrorString(cudaGetLastError()));
}

int main() {
    const size_t bytes = size_t(1) << 30;
    float *x, *y, *z;
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    cudaMalloc(&z, 4096);
    draw<<<bytes / 4 / 256, 256>>>(reinterpret_cast<unsigned*>(x), 0);
    auto x4 = reinterpret_cast<float4*>(x), y4 = reinterpret_cast<float4*>(y);
    const int rows = 1 << 21, n = 8192, threads = 1 << 23;
    const size_t floats = size_t(1) << 28;
    const dim3 tiles(n / 32, n / 32), block(32, 8);
    report("copy", 2.0 * bytes, [&] { copy<<<bytes / 16 / 256, 256>>>(x4, y4); });
    report("scale_rows", 512.0 * rows, [&] { scale_rows<<<rows / 256, 256>>>(x, y, rows); });
    report("scale_along_rows", 512.0 * rows, [&] { scale_along_rows<<<rows / 16, 256>>>(x4, y4, rows); });
    report("flip", 8.0 * n * n, [&] { flip<<<tiles, block>>>(x, y, n); });
    report("flip_padded", 8.0 * n * n, [&] { flip_padded<<<tiles, block>>>(x, y, n); });
    report("naive_transpose", 8.0 * n * n, [&] { naive_transpose<<<dim3(n / 32, n / 8), block>>>(x, y, n); });
    report("smooth", 8.0 * floats, [&] { smooth<<<floats / 512, 64>>>(x, y, int(floats)); });
    report("smooth_small", 8.0 * floats, [&] { smooth_small<<<floats / 512, 64>>>(x, y, int(floats)); });
    report("filter", 132.0 * threads, [&] { filter<<<threads / 256, 256>>>(x, y, threads); });
    report("filter_turned", 132.0 * threads, [&] { filter_turned<<<threads / 256, 256>>>(x, y, threads); });
    for (int percent : {0, 95}) {
        draw<<<bytes / 4 / 256, 256>>>(reinterpret_cast<unsigned*>(x), percent);
        draw<<<bytes / 16 / 256, 256>>>(reinterpret_cast<unsigned*>(y), percent);
        auto out = reinterpret_cast<unsigned*>(z);
        char name[64];
        sprintf(name, "sum_by_key, %d %% zeros", percent);
        report(name, 5.0 * floats, [&] {
            sum_by_key<<<1056, 256>>>(reinterpret_cast<uchar4*>(y), reinterpret_cast<uint4*>(x), out, floats / 4);
        });
        sprintf(name, "count_keys, %d %% zeros", percent);
        report(name, bytes, [&] { count_keys<<<1056, 256>>>(reinterpret_cast<uint4*>(x), out, bytes / 16); });
    }
}
