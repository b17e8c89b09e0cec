// The tensor cores work through the softmax: a warpgroup issues the scores of the next tile, then the values of this
// one, and while the values are still weighed it turns the new scores into weights. The two warpgroups take turns at
// issuing, so that one is in its softmax while the other has the tensor cores. Otherwise as before.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;
using u64 = unsigned long long;
constexpr int D = 128, TILE = 128, HALF = TILE * 128, BYTES = 2 * HALF;  // a tile has two halves of 64 columns
constexpr int STAGES = 2, THREADS = 3 * 128, SECTION = 4;                // SECTION: heads that share the L2

struct Barriers {
    u64 q, k_full[STAGES], k_free[STAGES], v_full[STAGES], v_free[STAGES];
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
__device__ void load(char* tile, const CUtensorMap* map, u64* full, int row, int head) {  // rows beyond N become zeros
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(full)), "n"(BYTES)
                 : "memory");
    for (int half = 0; half < 2; ++half) {
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                     "[%1, {%3, %4, %5}], [%2];" ::"r"(shared_address(tile + half * HALF)), "l"(map),
                     "r"(shared_address(full)), "r"(64 * half), "r"(row), "r"(head) : "memory");
    }
}

// What wgmma has to know of a tile: address, bytes to the next 64 columns (V only) and 8 rows; 128-byte swizzle.
__device__ u64 describe(const char* p, u64 leading) {
    return (u64)(shared_address(p) & 0x3FFFF) >> 4 | leading >> 4 << 16 | (u64)(1024 >> 4) << 32 | 1ull << 62;
}
#define EIGHT(d, i)                                                                                   \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
        "+f"(d[i + 7])
#define ALL(d) \
    EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24), EIGHT(d, 32), EIGHT(d, 40), EIGHT(d, 48), EIGHT(d, 56)
#define WGMMA                                                                                                   \
    "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "                                                    \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,"   \
    "%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,"  \
    "%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, "
__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int PENDING>
__device__ void finish(float (&d)[64]) {  // d may be read when all but PENDING groups are complete
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
#pragma unroll
    for (int i = 0; i < 64; ++i) {
        asm volatile("" : "+f"(d[i])::"memory");
    }
}
__device__ void multiply_keys(float (&s)[64], const char* q, const char* k) {  // s = 64 queries times 128 keys
    begin();
#pragma unroll
    for (int step = 0; step < D / 16; ++step) {
        int at = step / 4 * HALF + step % 4 * 32;
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n" WGMMA "%64, %65, p, 1, 1, 0, 0;\n}"
                     : ALL(s) : "l"(describe(q + at, 16)), "l"(describe(k + at, 16)), "r"(step));
    }
    commit();
}
__device__ void weigh_values(float (&o)[64], const unsigned (&p)[32], const char* v) {  // o += 64 weights times values
    begin();
#pragma unroll
    for (int step = 0; step < TILE / 16; ++step) {
        asm volatile(WGMMA "{%64,%65,%66,%67}, %68, 1, 1, 1, 1;" : ALL(o) : "r"(p[4 * step]), "r"(p[4 * step + 1]),
                     "r"(p[4 * step + 2]), "r"(p[4 * step + 3]), "l"(describe(v + step * 16 * 128, HALF)));
    }
    commit();
}
__device__ float power(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
__device__ unsigned pack(float low, float high) {
    unsigned r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}

struct Softmax {  // of a thread's two rows, 8 apart; element i belongs to row i / 2 % 2
    float m[2] = {-1e30f, -1e30f}, l[2] = {}, shrink[2];

    __device__ void update(float (&s)[64], float scale) {  // scores become weights, for the largest so far
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            float top = m[r];
            for (int i = 0; i < 32; ++i) {
                top = fmaxf(top, s[i / 2 * 4 + r * 2 + i % 2]);
            }
            top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));  // a row is in four lanes
            top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
            shrink[r] = power((m[r] - top) * scale);
            m[r] = top;
            l[r] *= shrink[r];
            for (int i = 0; i < 32; ++i) {
                float& x = s[i / 2 * 4 + r * 2 + i % 2];
                l[r] += x = power(fmaf(x, scale, -top * scale));
            }
        }
    }
    __device__ void correct(float (&o)[64], unsigned (&p)[32], const float (&s)[64]) {
#pragma unroll
        for (int i = 0; i < 64; ++i) {
            o[i] *= shrink[i / 2 % 2];
        }
#pragma unroll
        for (int i = 0; i < 32; ++i) {
            p[i] = pack(s[2 * i], s[2 * i + 1]);
        }
    }
};

__device__ void produce(char* shared, Barriers* b, const CUtensorMap* Q, const CUtensorMap* K, const CUtensorMap* V,
                        int tile, int head) {
    load(shared, Q, &b->q, tile * TILE, head);
    for (int i = 0; i <= tile; ++i) {  // from the diagonal back to the first keys
        int stage = i % STAGES, free = (i / STAGES & 1) ^ 1;
        wait(&b->k_free[stage], free);
        load(shared + (1 + stage) * BYTES, K, &b->k_full[stage], (tile - i) * TILE, head);
        wait(&b->v_free[stage], free);
        load(shared + (1 + STAGES + stage) * BYTES, V, &b->v_full[stage], (tile - i) * TILE, head);
    }
}

__global__ void __launch_bounds__(THREADS, 1)
    attend(const __grid_constant__ CUtensorMap Q, const __grid_constant__ CUtensorMap K,
           const __grid_constant__ CUtensorMap V, bf16* output, int heads, int N, float scale) {
    extern __shared__ __align__(1024) char shared[];
    Barriers* b = reinterpret_cast<Barriers*>(shared + (1 + 2 * STAGES) * BYTES);
    int tiles = (N + TILE - 1) / TILE, section = blockIdx.x / (SECTION * tiles), at = blockIdx.x % (SECTION * tiles);
    int wide = min(SECTION, heads - section * SECTION), tile = tiles - 1 - at / wide;
    int head = section * SECTION + at % wide, group = threadIdx.x / 128, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        init(&b->q, 1);
        for (int s = 0; s < STAGES; ++s) {
            init(&b->k_full[s], 1);
            init(&b->v_full[s], 1);
            init(&b->k_free[s], 2);
            init(&b->v_free[s], 2);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (group == 2) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x % 128 == 0) {
            produce(shared, b, &Q, &K, &V, tile, head);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        bool leader = threadIdx.x % 128 == 0;
        int row = threadIdx.x / 32 * 16 + lane / 4;  // this thread's first, within the tile
        const char *q = shared + group * 64 * 128, *k = shared + BYTES, *v = k + STAGES * BYTES;
        float s[64], o[64] = {};
        unsigned p[32];
        Softmax softmax;
        wait(&b->q, 0);
        if (group == 1) {
            asm volatile("bar.arrive 1, 256;" ::: "memory");  // group 0 issues first; barrier 1 + g is group g's turn
        }
        wait(&b->k_full[0], 0);
        multiply_keys(s, q, k);
        finish<0>(s);
        if (leader) {
            arrive(&b->k_free[0]);
        }
#pragma unroll
        for (int j = 0; j < 64; ++j) {  // the diagonal
            s[j] = j / 4 * 8 + lane % 4 * 2 + j % 2 <= row + j / 2 % 2 * 8 ? s[j] : -INFINITY;
        }
        softmax.update(s, scale);
        softmax.correct(o, p, s);
        for (int i = 1; i <= tile; ++i) {
            int stage = i % STAGES, before = (i - 1) % STAGES;
            wait(&b->k_full[stage], i / STAGES & 1);
            asm volatile("bar.sync %0, 256;" ::"r"(1 + group) : "memory");
            multiply_keys(s, q, k + stage * BYTES);
            wait(&b->v_full[before], (i - 1) / STAGES & 1);
            weigh_values(o, p, v + before * BYTES);
            if (group == 0 || i < tile) {
                asm volatile("bar.arrive %0, 256;" ::"r"(2 - group) : "memory");
            }
            finish<1>(s);
            if (leader) {
                arrive(&b->k_free[stage]);
            }
            softmax.update(s, scale);
            finish<0>(o);
            if (leader) {
                arrive(&b->v_free[before]);
            }
            softmax.correct(o, p, s);
        }
        if (tile == 0 && group == 0) {
            asm volatile("bar.sync 1, 256;" ::: "memory");  // a barrier may not be left half full
        }
        wait(&b->v_full[tile % STAGES], tile / STAGES & 1);
        weigh_values(o, p, v + tile % STAGES * BYTES);
        finish<0>(o);
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            float sum = softmax.l[r] + __shfl_xor_sync(0xffffffffu, softmax.l[r], 1);
            sum = 1.0f / (sum + __shfl_xor_sync(0xffffffffu, sum, 2));
            int i = tile * TILE + row + 8 * r;
            for (int n = 0; n < 16 && i < N; ++n) {
                unsigned two = pack(o[4 * n + 2 * r] * sum, o[4 * n + 2 * r + 1] * sum);
                reinterpret_cast<unsigned*>(output + ((size_t)head * N + i) * D)[n * 4 + lane % 4] = two;
            }
        }
    }
}

CUtensorMap rows_of(const bf16* data, int heads, int N) {
    CUtensorMap map;
    cuuint64_t sizes[3] = {D, (cuuint64_t)N, (cuuint64_t)heads}, strides[2] = {2 * D, (cuuint64_t)N * 2 * D};
    cuuint32_t box[3] = {64, TILE, 1}, steps[3] = {1, 1, 1};
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, const_cast<bf16*>(data), sizes, strides, box,
                           steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                           CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

extern "C" void solve(const bf16* Q, const bf16* K, const bf16* V, bf16* output, int B, int H, int N) {
    int heads = B * H, blocks = heads * ((N + TILE - 1) / TILE), bytes = (1 + 2 * STAGES) * BYTES + sizeof(Barriers);
    cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    float scale = 1.44269504f / sqrtf((float)D);  // for powers of two
    attend<<<blocks, THREADS, bytes>>>(rows_of(Q, heads, N), rows_of(K, heads, N), rows_of(V, heads, N), output, heads,
                                       N, scale);
    cudaDeviceSynchronize();
}
