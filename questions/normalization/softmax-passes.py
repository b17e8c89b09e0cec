from trainer.quiz.build import Wrong, ask_number, text
from trainer.sim.devices import MODELS

METHODS = (
    ("three passes (maximum, sum, result)", "三遍（求最大、求和、写结果）", 3),
    ("an online pass for maximum and sum, then one for the result", "一遍在线求最大与和，再一遍写结果", 2),
    ("one pass with the row kept in registers", "一遍，整行保存在寄存器中", 1),
)


def draw(rng):
    gpu = MODELS[rng.choice(["A100", "H100", "H200"])]
    name, name_zh, reads = rng.choice(METHODS)
    rows, cols = rng.choice([(8192, 8192), (16384, 8192), (4096, 32768), (65536, 4096)])
    size, dtype = rng.choice([(4, "fp32"), (4, "fp32"), (2, "bf16")])
    each = rows * cols * size / gpu.dram_gbps / 1e3
    least = (reads + 1) * each
    return ask_number(
        rng,
        text(
            f"Softmax over the rows of a {rows} × {cols} matrix in {dtype}, by {name}. Every pass reads the row from DRAM. "
            f"What is the least time on an NVIDIA {gpu.name} at {gpu.dram_gbps:,} GB/s?",
            f"对 {rows} × {cols} 的 {dtype} 矩阵按行做 softmax，方法：{name_zh}。每一遍都从显存读取整行。NVIDIA {gpu.name} 带宽 "
            f"{gpu.dram_gbps:,} GB/s，最短需要多少时间？",
        ),
        least,
        text("us", "us"),
        [
            Wrong(2 * each, text("That is one read and one write: this method reads more often.",
                                 "那是一读一写；该方法读取次数更多。")),
            Wrong(4 * each, text("That is three reads and a write: this method reads less often.",
                                 "那是三读一写；该方法读取次数更少。")),
            Wrong(3 * each, text("That is two reads and a write.", "那是两读一写。")),
            Wrong(reads * each, text("The result is written as well.", "结果也要写回。")),
            Wrong(least * 2, text(f"{dtype} takes {size} bytes an element.", f"{dtype} 每元素 {size} 字节。")),
            Wrong(least / 2, text(f"{dtype} takes {size} bytes an element.", f"{dtype} 每元素 {size} 字节。")),
        ],
        text(
            f"{reads} read{'s' * (reads > 1)} and one write, {(reads + 1) * size} bytes an element, "
            f"{(reads + 1) * rows * cols * size / 1e9:.3g} GB: {least:.4g} us.",
            f"{reads} 读 1 写，每元素 {(reads + 1) * size} 字节，共 {(reads + 1) * rows * cols * size / 1e9:.3g} GB："
            f"{least:.4g} us。",
        ),
        gpu=gpu.name,
        relative=0.03,
        parameters={"reads": reads, "rows": rows, "cols": cols, "bytes": size},
    )
