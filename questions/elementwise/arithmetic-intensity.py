from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

KERNELS = (
    ("C[i] = A[i] + B[i]", 1, 2, 1),
    ("y[i] = a * x[i] + y[i]", 2, 2, 1),
    ("D[i] = A[i] * B[i] + C[i]", 2, 3, 1),
    ("y[i] = a * x[i]", 1, 1, 1),
    ("y[i] = ((a * x[i] + b) * x[i] + c) * x[i] + d", 6, 1, 1),
)

TYPES = {2: "__half", 4: "float", 8: "double"}
PROGRAM = """\
#include <cuda_fp16.h>

__global__ void each(const float* from, float* to) {{
    using T = {type};
    const T* A = (const T*)from;
    const T *x = A, *B = A + 256, *C = A + 512;
    T *y = (T*)to, *D = y, *R = y;
    T a = T(2 + blockIdx.x), b = T(3 + blockIdx.x), c = T(4 + blockIdx.x), d = T(5 + blockIdx.x);
    int i = threadIdx.x;
    {body};
}}
"""


def draw(rng):
    shown, flops, reads, writes = rng.choice(KERNELS)
    size, dtype = rng.choice([(4, "fp32"), (4, "fp32"), (8, "fp64"), (2, "fp16")])
    moved = (reads + writes) * size
    body = shown.replace("C[i] =", "R[i] =")
    return ask_number(
        rng,
        text(
            f"`{shown}` over large arrays of {dtype}; small letters other than the arrays are constants in registers. "
            "What is the arithmetic intensity with respect to DRAM?",
            f"对大数组（{dtype}）做 `{shown}`；除数组外的小写字母是寄存器中的常数。相对于显存的算术强度是多少？",
        ),
        flops / moved,
        text("FLOP/byte", "FLOP/字节"),
        [
            Wrong(flops / (2 * moved), text(f"{dtype} takes {size} bytes an element, not {2 * size}.",
                                            f"{dtype} 每元素 {size} 字节，不是 {2 * size}。")),
            Wrong(flops / (reads * size), text("The result is written, too.", "结果也要写回。")),
            Wrong(moved / flops, text("Upside down: operations divided by bytes.", "颠倒了：应是运算次数除以字节数。")),
            Wrong(flops / (reads + writes), text("Divide by bytes, not by elements.", "应除以字节数，不是元素数。")),
            Wrong(2 * flops / moved, text("Each addition and each multiplication counts as one operation.",
                                          "每次加法或乘法计为一次运算。")),
        ],
        text(
            f"{flops} operation{'s' * (flops > 1)} for {reads} read{'s' * (reads > 1)} and {writes} write of {size} "
            f"bytes: {flops} / {moved} = {flops / moved:.3g} FLOP/byte, far below any GPU's ridge point.",
            f"{flops} 次运算，{reads} 读 {writes} 写、各 {size} 字节：{flops} / {moved} = {flops / moved:.3g} FLOP/字节，"
            "远低于任何 GPU 的脊点。",
        ),
        relative=0.02,
        proof=Proof(
            program(PROGRAM.format(type=TYPES[size], body=body), "each<<<1, 256>>>(x, y);"),
            flops / moved,
            lambda run: run.flops / run.moved(),
        ),
        parameters={"kernel": shown, "bytes": size},
    )
