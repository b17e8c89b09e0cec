from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

PROGRAM = """\
#include <cuda_bf16.h>

struct Stage {{ {type} a[{bm}][{bk}], b[{bk}][{bn}]; }};

__global__ void product(float* y) {{
    extern __shared__ Stage stages[];
    y[threadIdx.x] = sizeof(stages[0]);
}}
"""
LAUNCH = """size_t bytes = {} * sizeof(Stage);
    cudaFuncSetAttribute(product, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    product<<<1, 32, bytes>>>(y);"""


def draw(rng):
    bm, bn = rng.choice([(64, 64), (128, 128), (128, 64), (128, 256), (32, 32)])
    bk = rng.choice([8, 16, 32])
    stages = rng.choice([1, 2, 2, 3, 4])
    size, dtype = rng.choice([(4, "fp32"), (2, "bf16")])
    one = (bm + bn) * bk * size / 1024
    return ask_number(
        rng,
        text(
            f"A matrix product in {dtype} with block tiles of {bm} × {bn} and steps of {bk} along the inner dimension "
            f"keeps {stages} stage{'s' * (stages > 1)} of A and B tiles in shared memory. How many KiB is that?",
            f"{dtype} 矩阵乘，线程块分块 {bm} × {bn}，内维步长 {bk}，共享内存中保存 {stages} 级 A、B 分块。共多少 KiB？",
        ),
        stages * one,
        text("KiB", "KiB"),
        [
            Wrong(one, text("That is one stage.", "那是一级的量。")),
            Wrong(stages * bm * bn * size / 1024, text("That is the tile of C, which stays in registers.",
                                                       "那是 C 的分块，它在寄存器里。")),
            Wrong(stages * bm * bk * size / 1024, text("That leaves out the tile of B.", "漏了 B 的分块。")),
            Wrong(2 * stages * one, text(f"{dtype} takes {size} bytes.", f"{dtype} 为 {size} 字节。")),
            Wrong(stages * one * 1024 / 1000 / size, text("Count bytes, not elements.", "应按字节计，不是元素数。")),
            Wrong(stages * one / 2, text(f"{dtype} takes {size} bytes.", f"{dtype} 为 {size} 字节。")),
        ],
        text(
            f"({bm} + {bn}) · {bk} elements of {size} bytes are {one:g} KiB a stage; {stages} of them {stages * one:g}.",
            f"({bm} + {bn}) · {bk} 个元素，各 {size} 字节，每级 {one:g} KiB；{stages} 级共 {stages * one:g} KiB。",
        ),
        relative=0.01,
        proof=Proof(
            program(PROGRAM.format(type={4: "float", 2: "__nv_bfloat16"}[size], bm=bm, bn=bn, bk=bk), LAUNCH.format(stages)),
            stages * one,
            lambda run: run.report.launches[0].shared_bytes / 1024,
        ),
        parameters={"bm": bm, "bn": bn, "bk": bk, "stages": stages, "bytes": size},
    )
