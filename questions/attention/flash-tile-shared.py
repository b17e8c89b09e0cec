from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

PROGRAM = """\
#include <cuda_bf16.h>

struct Tiles {{
    __nv_bfloat16 queries[{queries}][{dim}];
    struct {{ __nv_bfloat16 keys[{keys}][{dim}], values[{keys}][{dim}]; }} stages[{stages}];
}};

__global__ void attend(float* y) {{
    extern __shared__ Tiles tiles[];
    y[threadIdx.x] = sizeof(tiles[0]);
}}
"""
LAUNCH = """cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Tiles));
    attend<<<1, 32, sizeof(Tiles)>>>(y);"""


def draw(rng):
    queries = rng.choice([64, 128])
    keys = rng.choice([32, 64, 128])
    dim = rng.choice([64, 128])
    stages = rng.choice([1, 2, 2, 3])
    q = queries * dim * 2 / 1024
    kv = keys * dim * 2 / 1024
    total = q + 2 * stages * kv
    return ask_number(
        rng,
        text(
            f"A fused attention kernel in bf16 keeps a tile of {queries} queries and {stages} stage{'s' * (stages > 1)} of "
            f"{keys} keys with their values in shared memory, head dimension {dim}. How many KiB is that?",
            f"融合注意力核函数（bf16）在共享内存中保存 {queries} 个查询的分块，以及 {stages} 级、每级 {keys} 个键及其值，头维度 "
            f"{dim}。共多少 KiB？",
        ),
        total,
        text("KiB", "KiB"),
        [
            Wrong(q + stages * kv, text("Keys and values both need room.", "键和值都需要空间。")),
            Wrong(stages * (q + 2 * kv) if stages > 1 else 0, text("The queries stay; only keys and values are staged.",
                                                                  "查询分块常驻，只有键和值分级。")),
            Wrong(q + 2 * kv, text("That is one stage.", "那是一级的量。")),
            Wrong(2 * total, text("bf16 takes two bytes.", "bf16 为两字节。")),
            Wrong(total + queries * keys * 4 / 1024, text("The scores stay in registers.", "分数保存在寄存器里。")),
            Wrong(total / 2, text("bf16 takes two bytes.", "bf16 为两字节。")),
        ],
        text(
            f"Queries {queries} · {dim} · 2 = {q:g} KiB; keys and values 2 · {stages} · {keys} · {dim} · 2 = "
            f"{2 * stages * kv:g} KiB: {total:g} KiB.",
            f"查询 {queries} · {dim} · 2 = {q:g} KiB；键和值 2 · {stages} · {keys} · {dim} · 2 = {2 * stages * kv:g} KiB："
            f"共 {total:g} KiB。",
        ),
        proof=Proof(
            program(PROGRAM.format(queries=queries, keys=keys, dim=dim, stages=stages), LAUNCH),
            total,
            lambda run: run.report.launches[0].shared_bytes / 1024,
        ),
        parameters={"queries": queries, "keys": keys, "dim": dim, "stages": stages},
    )
