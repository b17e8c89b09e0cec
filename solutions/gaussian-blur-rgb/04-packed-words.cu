// A thread owns 16 bytes of a row and walks down the image. 32-bit registers hold the sums of two bytes each, so
// every addition counts twice. Four running sums make the vertical filter, since [1 4 6 4 1] is [1 1] four times;
// what lies 3 and 6 bytes to the sides comes from the neighbouring lanes. No shared memory, no barrier.
#include <cuda_runtime.h>

constexpr int WARPS = 4;   // per block, one beside the other
constexpr int USEFUL = 30; // lanes of a warp that store; the outer two only help
constexpr int ROWS = 16;   // rows per warp
constexpr unsigned ALL = 0xffffffffu, EVEN = 0x00ff00ffu;

__device__ uint4 repeat(const unsigned char* pixel, int left) {  // a border pixel over and over
    unsigned a = pixel[0], b = pixel[1], c = pixel[2];
    unsigned abca = a | b << 8 | c << 16 | a << 24, bcab = b | c << 8 | a << 16 | b << 24;
    unsigned cabc = c | a << 8 | b << 16 | c << 24;
    return left ? make_uint4(0, 0, bcab, cabc) : make_uint4(abca, bcab, 0, 0);
}

// Bytes 16 g to 16 g + 15 of a row of `groups` times 16 bytes, or what the clamped image has beside it.
__device__ uint4 load(const unsigned char* row, int g, int groups) {
    if (g >= 0 && g < groups) {
        return __ldg(reinterpret_cast<const uint4*>(row) + g);
    }
    return g < 0 ? repeat(row, 1) : repeat(row + 16 * groups - 3, 0);
}

__device__ unsigned halves(unsigned a, unsigned b) {  // the upper half of a below the lower half of b
    return __byte_perm(a, b, 0x5432);
}

__device__ unsigned weigh(unsigned far, unsigned near, unsigned centre) {
    return far + 4 * near + 6 * centre + 0x00800080u;
}

__global__ void __launch_bounds__(32 * WARPS) blur(const unsigned char* __restrict__ image,
                                                   unsigned char* __restrict__ output, int width, int height) {
    int lane = threadIdx.x % 32, warp = blockIdx.x * WARPS + threadIdx.x / 32;
    int pitch = 3 * width, groups = pitch / 16;
    int g = warp * USEFUL + lane - 1;
    bool stores = lane > 0 && lane <= USEFUL && g < groups;
    g = min(g, groups);
    int top = blockIdx.y * ROWS, end = min(top + ROWS, height);
    auto row = [&](int y) { return image + (size_t)min(max(y, 0), height - 1) * pitch; };

    unsigned before[4][8] = {};  // of each stage the last value, for even and odd bytes of four words
    uint4 next = load(row(top - 2), g, groups);
    for (int y = top - 2; y < end + 2; ++y) {
        unsigned word[4] = {next.x, next.y, next.z, next.w};
        next = load(row(y + 1), g, groups);  // on its way while this row is computed
        unsigned e[8], o[8];                 // vertical sums of words -2 to 5, this thread's from 2 on
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            unsigned value = k % 2 ? word[k / 2] >> 8 & EVEN : word[k / 2] & EVEN;
#pragma unroll
            for (int stage = 0; stage < 4; ++stage) {
                unsigned sum = value + before[stage][k];
                before[stage][k] = value;
                value = sum;
            }
            (k % 2 ? o : e)[2 + k / 2] = value;
        }
        if (y < top + 2) {
            continue;  // not all five rows seen yet
        }
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            e[k] = __shfl_up_sync(ALL, e[4 + k], 1);
            o[k] = __shfl_up_sync(ALL, o[4 + k], 1);
            e[6 + k] = __shfl_down_sync(ALL, e[2 + k], 1);
            o[6 + k] = __shfl_down_sync(ALL, o[2 + k], 1);
        }
#pragma unroll
        for (int w = 0; w < 4; ++w) {
            int i = w + 2;
            unsigned even = weigh(halves(e[i - 2], e[i - 1]) + halves(e[i + 1], e[i + 2]),
                                  o[i - 1] + halves(o[i], o[i + 1]), e[i]);
            unsigned odd = weigh(halves(o[i - 2], o[i - 1]) + halves(o[i + 1], o[i + 2]),
                                 halves(e[i - 1], e[i]) + e[i + 1], o[i]);
            word[w] = __byte_perm(even, odd, 0x7351);  // the upper byte of each half
        }
        if (stores) {
            __stcs(reinterpret_cast<uint4*>(output + (size_t)(y - 2) * pitch) + g,
                   make_uint4(word[0], word[1], word[2], word[3]));
        }
    }
}

__global__ void plain(const unsigned char* image, unsigned char* output, int width, int height) {  // any width
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) {
        return;
    }
    for (int c = 0; c < 3; ++c) {
        int sum = 128;
        for (int k = 0; k < 25; ++k) {
            int r = min(max(y + k / 5 - 2, 0), height - 1), column = min(max(x + k % 5 - 2, 0), width - 1);
            const int weights[5] = {1, 4, 6, 4, 1};
            sum += weights[k / 5] * weights[k % 5] * image[((size_t)r * width + column) * 3 + c];
        }
        output[((size_t)y * width + x) * 3 + c] = sum / 256;
    }
}

extern "C" void solve(const unsigned char* image, unsigned char* output, int width, int height) {
    if (width % 16 == 0) {
        int warps = (3 * width / 16 + USEFUL - 1) / USEFUL;
        dim3 grid((warps + WARPS - 1) / WARPS, (height + ROWS - 1) / ROWS);
        blur<<<grid, 32 * WARPS>>>(image, output, width, height);
    } else {
        plain<<<dim3((width + 127) / 128, height), 128>>>(image, output, width, height);
    }
    cudaDeviceSynchronize();
}
