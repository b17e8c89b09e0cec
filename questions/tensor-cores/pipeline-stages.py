from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program
from trainer.sim.devices import MODELS

PROGRAM = """\
#include <cuda_bf16.h>

struct Stage {{ __nv_bfloat16 a[{bm}][{bk}], b[{bk}][{bn}]; }};

__global__ void fit(float* y) {{
    size_t used = 0;
    while (used + sizeof(Stage) <= {room}) {{
        used += sizeof(Stage);
        y[0] += 1;
    }}
}}
"""


def draw(rng):
    gpu = MODELS[rng.choice(["A100", "H200", "RTX 4090"])]
    bm, bn = rng.choice([(64, 64), (128, 128), (128, 64)] + ([(128, 256), (256, 128)] if gpu.name != "RTX 4090" else []))
    bk = rng.choice([32, 64])
    room = gpu.shared_bytes_per_block_optin // 1024
    stage = (bm + bn) * bk * 2 / 1024
    stages = int(room // stage)
    return ask_number(
        rng,
        text(
            f"A bf16 matrix product with tiles of {bm} × {bn} × {bk} on an NVIDIA {gpu.name}, where a block may use "
            f"{room} KiB of shared memory. How many pipeline stages (an A tile and a B tile each) fit?",
            f"bf16 矩阵乘，分块 {bm} × {bn} × {bk}，运行于 NVIDIA {gpu.name}，每块最多 {room} KiB 共享内存。能放下几级流水"
            "（每级含一个 A 分块和一个 B 分块）？",
        ),
        stages,
        text("stages", "级"),
        [
            Wrong(int(48 // stage), text("48 KiB is the limit for static arrays; more has to be asked for.",
                                         "48 KiB 是静态数组的上限；动态申请可以更多。")),
            Wrong(int(room // (2 * stage)), text("bf16 takes two bytes.", "bf16 为两字节。")),
            Wrong(stages + 1, text("One more does not fit.", "再多一级放不下。")),
            Wrong(int(room // (bm * bk * 2 / 1024)), text("A stage holds a tile of B as well.", "每级还有一个 B 分块。")),
            Wrong(stages - 1 if stages > 1 else 0, text("One more fits.", "还能再放一级。")),
        ],
        text(
            f"({bm} + {bn}) · {bk} · 2 bytes are {stage:g} KiB a stage; {room} / {stage:g} rounded down is {stages}. "
            "Barriers take a few bytes more, and a staged epilogue may take one of the stages.",
            f"({bm} + {bn}) · {bk} · 2 字节，每级 {stage:g} KiB；{room} / {stage:g} 向下取整为 {stages}。"
            "屏障还要占几个字节，收尾缓冲可能占用一级。",
        ),
        gpu=gpu.name,
        proof=Proof(
            program(PROGRAM.format(bm=bm, bn=bn, bk=bk, room=gpu.shared_bytes_per_block_optin), "fit<<<1, 1>>>(y);"),
            stages,
            lambda run: float(run.y[0]),
        ),
        parameters={"bm": bm, "bn": bn, "bk": bk},
    )
