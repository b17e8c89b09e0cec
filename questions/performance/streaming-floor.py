from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program
from trainer.sim.devices import MODELS

KERNELS = (
    ("C = A + B", 2, 1),
    ("y = relu(x)", 1, 1),
    ("y = a * x + y", 2, 1),
    ("D = A * B + C", 3, 1),
    ("p, m, v updated from p, g, m, v (AdamW)", 4, 3),
)

PROGRAM = """\
#include <cuda_fp16.h>

__global__ void stream(const float* from, float* to) {{
    const {type}* x = (const {type}*)from;
    {type}* y = ({type}*)to;
    {type} sum = x[threadIdx.x];
    for (int k = 1; k < {reads}; ++k) sum += x[256 * k + threadIdx.x];
    for (int k = 0; k < {writes}; ++k) y[256 * k + threadIdx.x] = sum;
}}
"""


def draw(rng):
    gpu = MODELS[rng.choice(["V100", "A100", "H100", "H200", "RTX 4090"])]
    shown, reads, writes = rng.choice(KERNELS)
    size, dtype = rng.choice([(4, "fp32"), (4, "fp32"), (2, "fp16"), (8, "fp64")])
    power = rng.randrange(24, 29)
    total = (reads + writes) * size * 2**power
    floor = total / gpu.dram_gbps / 1e3
    return ask_number(
        rng,
        text(
            f"`{shown}` over 2^{power} elements of {dtype}. What is the least time on an NVIDIA {gpu.name} with "
            f"{gpu.dram_gbps:,} GB/s, if everything comes from and goes to DRAM?",
            f"对 2^{power} 个 {dtype} 元素做 `{shown}`。NVIDIA {gpu.name} 带宽 {gpu.dram_gbps:,} GB/s，数据全部来自并写回显存，"
            "最短需要多少时间？",
        ),
        floor,
        text("us", "us"),
        [
            Wrong(2 * floor, text(f"That counts {2 * size} bytes an element; {dtype} takes {size}.",
                                  f"这按每元素 {2 * size} 字节计；{dtype} 为 {size} 字节。")),
            Wrong(reads * size * 2**power / gpu.dram_gbps / 1e3, text("Results have to be written, too.",
                                                                      "结果也要写回。")),
            Wrong(size * 2**power / gpu.dram_gbps / 1e3, text("That is one of the arrays.", "那只是其中一个数组。")),
            Wrong((reads + 2 * writes) * size * 2**power / gpu.dram_gbps / 1e3, text(
                "A full sector that is written is not read first.", "整扇区写入不需要先读。")),
            Wrong(floor / 1000, text("GB/s are 10^9 bytes a second: check the units.", "GB/s 为每秒 10^9 字节：请检查单位。")),
        ],
        text(
            f"{reads} read{'s' * (reads > 1)} and {writes} write{'s' * (writes > 1)} of {size} bytes: {(reads + writes) * size} bytes an "
            f"element, {total / 1e9:.3g} GB in all, {floor:.4g} us. Real kernels reach about 90 % of that rate.",
            f"每元素 {reads} 读 {writes} 写、各 {size} 字节，共 {(reads + writes) * size} 字节；总计 {total / 1e9:.3g} GB，"
            f"{floor:.4g} us。实际核函数约能达到该速率的 90%。",
        ),
        gpu=gpu.name,
        relative=0.03,
        proof=Proof(
            program(
                PROGRAM.format(type={2: "__half", 4: "float", 8: "double"}[size], reads=reads, writes=writes),
                "stream<<<1, 256>>>(x, y);",
            ),
            floor,
            lambda run: run.moved() / 256 * 2**power / gpu.dram_gbps / 1e3,
        ),
        parameters={"kernel": shown, "bytes": size, "power": power},
    )
