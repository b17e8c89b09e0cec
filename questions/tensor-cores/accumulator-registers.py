from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import MMA, program

PROGRAM = """
__global__ void hold(float* y) {{
    const unsigned ones = 0x3c003c00;  // two halves
    float c[{rows} / 16][{cols} / 8][4] = {{}};
    for (int i = 0; i < {rows} / 16; ++i)
        for (int j = 0; j < {cols} / 8; ++j) mma(c[i][j], ones, ones, ones);
    int held = 0;
    for (float* element = c[0][0]; element < c[{rows} / 16][0]; ++element) held += *element != 0.0f;
    y[threadIdx.x] = held;
}}
"""


def draw(rng):
    if rng.random() < 0.5:
        rows, cols, threads, who, who_zh = 64, rng.choice([64, 96, 128, 192, 256]), 128, "warpgroup (128 threads)", "warpgroup（128 线程）"
    else:
        (rows, cols), threads = rng.choice([(64, 32), (64, 64), (32, 32), (128, 64), (32, 64)]), 32
        who, who_zh = "warp", "warp"
    each = rows * cols // threads
    return ask_number(
        rng,
        text(
            f"One {who} accumulates a {rows} × {cols} tile of C in fp32. How many registers of each thread hold it?",
            f"一个 {who_zh} 以 fp32 累加 C 的 {rows} × {cols} 分块。每个线程用多少寄存器保存它？",
        ),
        each,
        text("registers", "个寄存器"),
        [
            Wrong(each // 2, text("Two 16-bit values share a register; fp32 takes one each.",
                                  "两个 16 位值共用一个寄存器；fp32 各占一个。")),
            Wrong(each * 2, text("Registers are 32 bits wide, as are the accumulators.", "寄存器与累加器都是 32 位。")),
            Wrong(rows * cols // (32 if threads == 128 else 128), text(
                f"The tile is spread over {threads} threads.", f"分块分布在 {threads} 个线程上。")),
            Wrong(cols, text("That is the number of columns.", "那是列数。")),
            Wrong(each * 4, text("Count words, not bytes.", "应按字计，不是字节。")),
        ],
        text(
            f"{rows} · {cols} / {threads} = {each}" + (
                ". A thread can address 255 registers: this tile spills, whatever else the kernel needs." if each > 255
                else ". A thread can address 255 registers, so the rest of the kernel has to fit into what is left."
                if each > 100 else "."),
            f"{rows} · {cols} / {threads} = {each}" + (
                "。每线程最多 255 个寄存器：这个分块必然溢出到局部内存。" if each > 255
                else "。每线程最多 255 个寄存器，其余代码只能用剩下的。" if each > 100 else "。"),
        ),
        proof=Proof(
            program(MMA + PROGRAM.format(rows=rows * 32 // threads, cols=cols), f"hold<<<1, {threads}>>>(y);"),
            each,
            lambda run: float(run.y[0]),
        ),
        parameters={"rows": rows, "cols": cols, "threads": threads},
    )
