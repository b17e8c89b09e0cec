// Hopper: one thread loads queries and tiles by TMA; two warpgroups multiply by wgmma. For the scores each has all 64
// heads and 32 of the tile's 64 tokens, for the output all heads and 256 of 512 columns: 128 accumulators a thread.
// Maxima and weights pass between them through shared memory, where wgmma finds the weights as its left factor.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;
using u64 = unsigned long long;
constexpr int KEY = 576, VALUE = 512, T = 64, BLOCK = T * 128, TILE = KEY / 64 * BLOCK;  // bytes; 64 columns a block
constexpr int ROW = VALUE + 2, BLOCKS = 132, THREADS = 3 * 128, STAGES = 2;  // ROW: a part's output, top score, sum
constexpr float LOWEST = -1e30f;

struct Exchange {  // between the warpgroups
    char weights[T * 128];
    float top[2][T], sum[2][T];
    u64 q, full[STAGES], free[STAGES];
};

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(u64* b, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(count) : "memory");
}
__device__ void arrive(u64* b) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}
__device__ void wait(u64* b, int parity) {
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN;\n}"
                 ::"r"(shared_address(b)), "r"(parity) : "memory");
}
__device__ void meet() { asm volatile("bar.sync 1, 256;" ::: "memory"); }  // both warpgroups that multiply
__device__ void load(char* tile, const CUtensorMap* map, u64* full, int row, int sequence) {  // zeros beyond
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(full)), "n"(TILE)
                 : "memory");
    for (int column = 0; column < KEY; column += 64) {
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                     "[%1, {%3, %4, %5}], [%2];" ::"r"(shared_address(tile + column / 64 * BLOCK)), "l"(map),
                     "r"(shared_address(full)), "r"(column), "r"(row), "r"(sequence) : "memory");
    }
}

// What wgmma has to know of a tile: address, bytes to the next 64 columns (values only) and 8 rows; 128-byte swizzle.
__device__ u64 describe(const char* p, u64 leading = 16) {
    return (u64)(shared_address(p) & 0x3FFFF) >> 4 | leading >> 4 << 16 | (u64)(1024 >> 4) << 32 | 1ull << 62;
}
#define FOUR(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(d, i) FOUR(d, i), FOUR(d, i + 4), FOUR(d, i + 8), FOUR(d, i + 12)
#define ALL(d)                                                                                                 \
    SIXTEEN(d, 0), SIXTEEN(d, 16), SIXTEEN(d, 32), SIXTEEN(d, 48), SIXTEEN(d, 64), SIXTEEN(d, 80), SIXTEEN(d, 96), \
        SIXTEEN(d, 112)
#define WGMMA32                                                 \
    "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "     \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}, "
#define WGMMA256                                                                                          \
    "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "                                              \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26," \
    "%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,"    \
    "%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,"    \
    "%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,"    \
    "%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,"      \
    "%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, "
__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
template <int COUNT>
__device__ void finish(float (&d)[COUNT]) {  // waits until d may be read
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        asm volatile("" : "+f"(d[i])::"memory");
    }
}
__device__ void multiply_keys(float (&s)[16], const char* q, const char* c) {  // s = 64 heads times 32 tokens
    begin();
#pragma unroll
    for (int step = 0; step < KEY / 16; ++step) {
        int at = step / 4 * BLOCK + step % 4 * 32;
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\n" WGMMA32 "%16, %17, p, 1, 1, 0, 0;\n}"
                     : SIXTEEN(s, 0) : "l"(describe(q + at)), "l"(describe(c + at)), "r"(step));
    }
    finish(s);
}
__device__ void weigh_values(float (&o)[128], const char* weights, const char* c) {  // o += weights times 256 columns
    begin();
#pragma unroll
    for (int step = 0; step < T / 16; ++step) {
        asm volatile(WGMMA256 "%128, %129, 1, 1, 1, 0, 1;" : ALL(o) : "l"(describe(weights + step * 32)),
                     "l"(describe(c + step * 16 * 128, BLOCK)));
    }
    finish(o);
}
__device__ unsigned pack(float low, float high) {
    unsigned r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}
__device__ float over_quad(float x, bool largest) {  // a row of scores is in four lanes
    for (int offset = 1; offset < 4; offset *= 2) {
        float other = __shfl_xor_sync(0xffffffffu, x, offset);
        x = largest ? fmaxf(x, other) : x + other;
    }
    return x;
}

__global__ void __launch_bounds__(THREADS, 1)
    attend(const __grid_constant__ CUtensorMap Q, const __grid_constant__ CUtensorMap C, float* parts, int H, int N,
           int part, float scale) {
    extern __shared__ __align__(1024) char shared[];
    Exchange* x = reinterpret_cast<Exchange*>(shared + (1 + STAGES) * TILE);
    int group = threadIdx.x / 128, lane = threadIdx.x % 32, row = threadIdx.x % 128 / 32 * 16 + lane / 4;
    int first = blockIdx.x * part, last = min(first + part, N), tiles = (last - first + T - 1) / T;
    if (threadIdx.x == 0) {
        init(&x->q, 1);
        for (int s = 0; s < STAGES; ++s) {
            init(&x->full[s], 1);
            init(&x->free[s], 2);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (group == 2) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x % 128 == 0) {
            load(shared, &Q, &x->q, blockIdx.y * T, blockIdx.z);
            for (int i = 0; i < tiles; ++i) {
                wait(&x->free[i % STAGES], (i / STAGES & 1) ^ 1);
                load(shared + (1 + i % STAGES) * TILE, &C, &x->full[i % STAGES], first + i * T, blockIdx.z);
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        float s[16], o[128] = {}, m[2] = {LOWEST, LOWEST}, l[2] = {}, shrink[2];  // of rows `row` and `row` + 8
        wait(&x->q, 0);
        for (int i = 0; i < tiles; ++i) {
            const char* c = shared + (1 + i % STAGES) * TILE;
            wait(&x->full[i % STAGES], i / STAGES & 1);
            multiply_keys(s, shared, c + group * 32 * 128);
            int token = first + i * T + group * 32 + lane % 4 * 2;  // of s[0]
            for (int h = 0; h < 2; ++h) {
                float top = m[h];
                for (int j = 0; j < 8; ++j) {
                    float& score = s[j / 2 * 4 + h * 2 + j % 2];
                    score = token + j / 2 * 8 + j % 2 < last ? score * scale : -INFINITY;
                    top = fmaxf(top, score);
                }
                x->top[group][row + h * 8] = over_quad(top, true);
            }
            meet();
            for (int h = 0; h < 2; ++h) {
                float top = fmaxf(x->top[0][row + h * 8], x->top[1][row + h * 8]);
                shrink[h] = exp2f(m[h] - top);
                m[h] = top;
                l[h] *= shrink[h];
                for (int j = 0; j < 4; ++j) {
                    float w0 = exp2f(s[j * 4 + h * 2] - top), w1 = exp2f(s[j * 4 + h * 2 + 1] - top);
                    l[h] += w0 + w1;
                    char* to = x->weights + (row + h * 8) * 128 + ((group * 4 + j) ^ (row & 7)) * 16 + lane % 4 * 4;
                    *reinterpret_cast<unsigned*>(to) = pack(w0, w1);
                }
            }
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // wgmma reads what was written here
            meet();
#pragma unroll
            for (int j = 0; j < 128; ++j) {
                o[j] *= shrink[j / 2 % 2];
            }
            weigh_values(o, x->weights, c + group * 4 * BLOCK);
            if (threadIdx.x % 128 == 0) {
                arrive(&x->free[i % STAGES]);
            }
        }
        int here = H - (int)blockIdx.y * T, stride = gridDim.x * ROW;  // heads of this block, if under 64
        float* mine = parts + (((size_t)blockIdx.z * H + blockIdx.y * T) * gridDim.x + blockIdx.x) * ROW;
        for (int h = 0; h < 2; ++h) {
            x->sum[group][row + h * 8] = over_quad(l[h], false);
        }
        meet();
        if (group == 0 && threadIdx.x < T && threadIdx.x < here) {
            mine[threadIdx.x * stride + VALUE + 1] = x->sum[0][threadIdx.x] + x->sum[1][threadIdx.x];
        }
        for (int h = 0; h < 2; ++h) {
            float* to = mine + (row + h * 8) * stride;
            if (row + h * 8 < here) {
                to[VALUE] = m[h];  // the same from all lanes and both groups
#pragma unroll
                for (int j = 0; j < 32; ++j) {
                    *reinterpret_cast<float2*>(to + group * 256 + j * 8 + lane % 4 * 2) =
                        make_float2(o[j * 4 + h * 2], o[j * 4 + h * 2 + 1]);
                }
            }
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
        float share = exp2f(mine[p * ROW + VALUE] - top);
        out += share * mine[p * ROW + threadIdx.x];
        sum += share * mine[p * ROW + VALUE + 1];
    }
    output[(size_t)blockIdx.x * VALUE + threadIdx.x] = __float2bfloat16(out / sum);
}

CUtensorMap blocks_of(const bf16* data, int rows, int B) {  // of 64 rows and 64 columns
    CUtensorMap map;
    cuuint64_t sizes[3] = {KEY, (cuuint64_t)rows, (cuuint64_t)B}, strides[2] = {2 * KEY, (cuuint64_t)rows * 2 * KEY};
    cuuint32_t box[3] = {64, T, 1}, steps[3] = {1, 1, 1};
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, const_cast<bf16*>(data), sizes, strides, box,
                           steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                           CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}
extern "C" void solve(const bf16* Q, const bf16* C, bf16* output, int B, int H, int N, float scale) {
    int groups = B * ((H + T - 1) / T), tiles = (N + T - 1) / T, split = max(1, min(tiles, BLOCKS / groups));
    int part = (tiles + split - 1) / split * T, count = (N + part - 1) / part;
    int bytes = (1 + STAGES) * TILE + (int)sizeof(Exchange);
    float* parts;
    cudaMalloc(&parts, (size_t)B * H * count * ROW * sizeof(float));
    cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    attend<<<dim3(count, groups / B, B), THREADS, bytes>>>(blocks_of(Q, H, B), blocks_of(C, N, B), parts, H,
                                                        N, part, scale * 1.44269504f);  // for exp2
    merge<<<B * H, VALUE>>>(parts, output, count);
    cudaDeviceSynchronize();
    cudaFree(parts);
}
