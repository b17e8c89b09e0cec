from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

PROGRAM = """\
#include <cuda_bf16.h>

struct Token {{ struct {{ {type} keys[{heads}][{dim}], values[{heads}][{dim}]; }} layers[{layers}]; }};

__global__ void size(float* y) {{ y[0] = sizeof(Token); }}
"""


def draw(rng):
    layers, query_heads, kv_heads, dim = rng.choice(
        [(32, 32, 32, 128), (32, 32, 8, 128), (80, 64, 8, 128), (40, 40, 40, 128), (28, 28, 4, 128), (48, 32, 4, 128)]
    )
    tokens = rng.choice([2048, 4096, 8192, 32768, 131072])
    batch = rng.choice([1, 1, 4, 8, 16])
    size, dtype = rng.choice([(2, "bf16"), (2, "bf16"), (1, "int8")])
    total = 2 * layers * kv_heads * dim * tokens * batch * size / 2**30
    return ask_number(
        rng,
        text(
            f"A model has {layers} layers, {query_heads} query heads and {kv_heads} key-value heads of {dim} elements. How "
            f"many GiB does its KV cache take for {batch} sequence{'s' * (batch > 1)} of {tokens:,} tokens in {dtype}?",
            f"模型有 {layers} 层、{query_heads} 个查询头、{kv_heads} 个 KV 头，头维度 {dim}。{batch} 条长 {tokens:,} 的序列以 "
            f"{dtype} 保存，KV 缓存占多少 GiB？",
        ),
        total,
        text("GiB", "GiB"),
        [
            Wrong(total / 2, text("Keys and values are both kept.", "键和值都要保存。")),
            Wrong(total * query_heads / kv_heads, text("Query heads share key-value heads; only the latter are kept.",
                                                       "查询头共用 KV 头；只保存 KV 头。")),
            Wrong(total / layers, text("That is one layer.", "那是一层的量。")),
            Wrong(total * 2, text(f"{dtype} takes {size} byte{'s' * (size > 1)}, and nothing is kept for the queries.",
                                  f"{dtype} 为 {size} 字节，查询不需要缓存。")),
            Wrong(total / batch if batch > 1 else 0, text("That is one sequence.", "那是一条序列的量。")),
        ],
        text(
            f"2 · {layers} layers · {kv_heads} heads · {dim} · {size} byte{'s' * (size > 1)} = "
            f"{2 * layers * kv_heads * dim * size:,} bytes a token; times {tokens:,} · {batch}: {total:.4g} GiB.",
            f"每 token 2 · {layers} 层 · {kv_heads} 头 · {dim} · {size} 字节 = {2 * layers * kv_heads * dim * size:,} 字节；"
            f"乘以 {tokens:,} · {batch}：{total:.4g} GiB。",
        ),
        relative=0.02,
        proof=Proof(
            program(
                PROGRAM.format(layers=layers, heads=kv_heads, dim=dim, type={2: "__nv_bfloat16", 1: "char"}[size]),
                "size<<<1, 1>>>(y);",
            ),
            total,
            lambda run: float(run.y[0]) * tokens * batch / 2**30,
        ),
        parameters={"layers": layers, "kv_heads": kv_heads, "tokens": tokens, "batch": batch, "bytes": size},
    )
