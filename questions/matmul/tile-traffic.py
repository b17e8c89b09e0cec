from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

PROGRAM = """\
using T = {type};

__global__ void tiles(const float* x, float* y, int n) {{
    __shared__ T a[{tile}][16];
    const T *A = (const T*)x, *B = A + n * n;
    int row = blockIdx.y * {tile}, col = blockIdx.x * {tile};
    T sum = 0;
    for (int k = 0; k < n; k += 16) {{
        for (int i = threadIdx.x; i < {tile} * 16; i += 256)
            a[i / 16][i % 16] = A[(row + i / 16) * n + k + i % 16];
        __syncthreads();
        for (int i = threadIdx.x; i < 16 * {tile}; i += 256)
            sum += a[i % {tile}][i / {tile}] * B[(k + i / {tile}) * n + col + i % {tile}];
        __syncthreads();
    }}
    y[(blockIdx.y * 2 + blockIdx.x) * 256 + threadIdx.x] = sum;
}}
"""


def draw(rng):
    n = rng.choice([1024, 2048, 4096, 8192])
    tile = rng.choice([16, 32, 64, 128])
    size, dtype = rng.choice([(4, "fp32"), (4, "fp32"), (2, "fp16")])
    total = 2 * n**3 * size / tile / 1e9
    return ask_number(
        rng,
        text(
            f"C = A · B with {n} × {n} matrices of {dtype}. Every block computes a {tile} × {tile} tile of C and reads "
            "its tiles of A and B from global memory once each into shared memory. How many GB of A and B do all blocks "
            "read together (10^9 bytes, caches left aside)?",
            f"C = A · B，矩阵为 {n} × {n}（{dtype}）。每个线程块计算 C 的一个 {tile} × {tile} 分块，所需的 A、B 分块各从全局内存"
            "读入共享内存一次。所有线程块共读取多少 GB 的 A 和 B（10^9 字节，不计缓存）？",
        ),
        total,
        text("GB", "GB"),
        [
            Wrong(2 * n**2 * size / 1e9, text("That is each matrix once; every block needs a whole strip of both.",
                                              "那是每个矩阵只读一次；每个线程块都要读两条完整的长条。")),
            Wrong(total * tile, text("That is without any reuse.", "那是完全不复用的情形。")),
            Wrong(total / tile, text("A tile saves a factor of its edge, not of its area.",
                                     "分块带来的节省是边长倍，不是面积倍。")),
            Wrong(total / 2, text("Both A and B are read.", "A 和 B 都要读。")),
            Wrong(total * 2, text(f"{dtype} takes {size} bytes.", f"{dtype} 为 {size} 字节。")),
        ],
        text(
            f"({n} / {tile})² blocks each read 2 · {tile} · {n} elements: 2 · {n}³ / {tile} elements, {total:.4g} GB. "
            f"Without tiles it would be {total * tile:.4g} GB.",
            f"共 ({n} / {tile})² 个线程块，各读 2 · {tile} · {n} 个元素：2 · {n}³ / {tile} 个，即 {total:.4g} GB。"
            f"不分块则为 {total * tile:.4g} GB。",
        ),
        relative=0.02,
        proof=Proof(
            program(
                PROGRAM.format(type={4: "float", 2: "unsigned short"}[size], tile=tile),
                f"tiles<<<dim3(2, 2), 256>>>(x, y, {2 * tile});",
            ),
            total,
            lambda run: run.moved(op="load") * (n / (2 * tile)) ** 3 / 1e9,
            floats=8 * tile * tile,
        ),
        parameters={"n": n, "tile": tile, "bytes": size},
    )
