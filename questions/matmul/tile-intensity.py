from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

PROGRAM = """\
using T = {type};

__global__ void tile(const float* x, float* y, int depth) {{
    __shared__ T a[{rows}][16], b[16][{cols}];
    const T *A = (const T*)x, *B = A + {rows} * 16;
    for (int i = threadIdx.x; i < {rows} * 16; i += 256) a[i / 16][i % 16] = A[i];
    for (int i = threadIdx.x; i < 16 * {cols}; i += 256) b[i / {cols}][i % {cols}] = B[i];
    __syncthreads();
    for (int i = threadIdx.x; i < {rows} * {cols}; i += 256) {{
        float sum = 0.0f;
        for (int k = 0; k < depth; ++k) sum += float(a[i / {cols}][k]) * float(b[k][i % {cols}]);
        y[i] = sum;
    }}
}}
"""


def draw(rng):
    rows, cols = rng.choice([(32, 32), (64, 64), (128, 128), (64, 128), (128, 256), (16, 16), (256, 128), (32, 128)])
    size, dtype = rng.choice([(4, "fp32"), (2, "bf16")])
    intensity = 2 * rows * cols / ((rows + cols) * size)
    return ask_number(
        rng,
        text(
            f"A block computes a {rows} × {cols} tile of C = A · B in {dtype}, for a long inner dimension, and reads each "
            "needed element of A and B once from global memory. How many FLOP does it do for each byte it reads?",
            f"线程块以 {dtype} 计算 C = A · B 的一个 {rows} × {cols} 分块，内维很长，所需的 A、B 元素各从全局内存读一次。"
            "每读一字节做多少次浮点运算？",
        ),
        intensity,
        text("FLOP/byte", "FLOP/字节"),
        [
            Wrong(intensity / 2, text("A multiply-add is two operations.", "一次乘加是两次运算。")),
            Wrong(intensity * 2, text("A row of A and a column of B are read for each step, both.",
                                      "每一步都要读 A 的一列和 B 的一行，两者都算。")),
            Wrong(intensity * size, text("That is for each element, not for each byte.", "那是按元素计，不是按字节。")),
            Wrong(rows * cols / size, text("Bytes grow with rows + columns, not with their product over both.",
                                           "字节数随行数加列数增长。")),
            Wrong(intensity * 4, text("Check the bytes of an element.", "请检查元素字节数。")),
        ],
        text(
            f"Each step of the inner loop: {rows} · {cols} multiply-adds, 2 · {rows * cols:,} FLOP, for {rows} + {cols} "
            f"elements, {(rows + cols) * size} bytes: {intensity:.4g} FLOP/byte. Square tiles are best for their area.",
            f"内维每一步：{rows} · {cols} 次乘加即 2 · {rows * cols:,} 次运算，读 {rows} + {cols} 个元素即 "
            f"{(rows + cols) * size} 字节：{intensity:.4g} FLOP/字节。面积相同时正方形分块最好。",
        ),
        relative=0.02,
        proof=Proof(
            program(
                PROGRAM.format(type={4: "float", 2: "unsigned short"}[size], rows=rows, cols=cols),
                "tile<<<1, 256>>>(x, y, n);",
            ),
            intensity,
            lambda run: run.flops / run.moved(op="load"),
            floats=rows * cols + 16 * (rows + cols),
            n=16,
        ),
        parameters={"rows": rows, "cols": cols, "bytes": size},
    )
