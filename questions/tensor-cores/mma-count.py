from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import MMA, program

PROGRAM = """
__global__ void tile(const float* x, float* y) {{
    float c[{wm} / 16][{wn} / 8][4] = {{}};
    for (int k = 0; k < {bk}; k += 16)
        for (int i = 0; i < {wm} / 16; ++i)
            for (int j = 0; j < {wn} / 8; ++j)
                mma(c[i][j], ((const unsigned*)x)[k + i], 0, ((const unsigned*)x)[k + j]);
    for (int i = 0; i < {wm} * {wn} / 32; ++i) y[32 * i + threadIdx.x] = c[0][0][i];
}}
"""


def draw(rng):
    wm, wn = rng.choice([(32, 32), (64, 32), (64, 64), (32, 64), (128, 64), (16, 64)])
    bk = rng.choice([16, 32, 64])
    count = (wm // 16) * (wn // 8) * (bk // 16)
    return ask_number(
        rng,
        text(
            f"A warp computes a {wm} × {wn} tile of C. How many `mma.sync.m16n8k16` instructions does it issue for a step "
            f"of {bk} along the inner dimension?",
            f"一个 warp 计算 C 的 {wm} × {wn} 分块。内维前进 {bk} 需要发射多少条 `mma.sync.m16n8k16`？",
        ),
        count,
        text("instructions", "条"),
        [
            Wrong((wm // 16) * (wn // 16) * (bk // 16), text("The instruction covers 8 columns, not 16.",
                                                             "该指令覆盖 8 列，不是 16 列。")),
            Wrong(count // (bk // 16) if bk > 16 else 0, text("That is one step of 16.", "那只是步长 16 的数目。")),
            Wrong(wm * wn * bk // 32, text("That is for each lane; an mma is one instruction of the whole warp.",
                                           "那是按线程计；mma 是整个 warp 的一条指令。")),
            Wrong(count * 2, text("One instruction does all 16 × 8 × 16 multiply-adds.",
                                  "一条指令完成全部 16 × 8 × 16 次乘加。")),
            Wrong(count * 4, text("One instruction does all 16 × 8 × 16 multiply-adds.",
                                  "一条指令完成全部 16 × 8 × 16 次乘加。")),
        ],
        text(
            f"({wm} / 16) · ({wn} / 8) · ({bk} / 16) = {count}, of 2,048 multiply-adds each.",
            f"({wm} / 16) · ({wn} / 8) · ({bk} / 16) = {count}，每条 2,048 次乘加。",
        ),
        proof=Proof(
            program(MMA + PROGRAM.format(wm=wm, wn=wn, bk=bk), "tile<<<1, 32>>>(x, y);"),
            count,
            lambda run: run.executed("mma"),
        ),
        parameters={"wm": wm, "wn": wn, "bk": bk},
    )
