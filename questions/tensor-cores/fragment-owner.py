from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import MMA, program

PROGRAM = """
__global__ void own(float* y, int row, int col) {
    const unsigned ones = 0x3c003c00;  // two halves
    int t = threadIdx.x;
    float c[4] = {};
    mma(c, t / 4 == row ? ones : 0, t / 4 + 8 == row ? ones : 0, t / 4 == col ? ones : 0);
    if (c[0] + c[1] + c[2] + c[3] != 0.0f) y[0] = t + 1;
}
"""


def draw(rng):
    row, col = rng.randrange(16), rng.randrange(8)
    lane = row % 8 * 4 + col // 2
    register = row // 8 * 2 + col % 2
    return ask_number(
        rng,
        text(
            f"`mma.sync.m16n8k16` with fp32 accumulators: which lane holds the element of C in row {row}, column {col} "
            "(both counted from 0)?",
            f"`mma.sync.m16n8k16`，fp32 累加器：C 的第 {row} 行第 {col} 列（均从 0 计）在哪个线程（lane）？",
        ),
        lane + 0.0,
        text("", ""),
        [
            Wrong((row * 8 + col) % 32, text("That would be row after row, one element a lane.",
                                             "那是逐行、每线程一个元素的排法。")),
            Wrong(row * 2 + col // 4, text("Four lanes share a row of eight columns, two columns each.",
                                           "四个线程共享一行八列，每线程两列。")),
            Wrong(col * 4 + row % 8 // 2, text("Rows and columns are exchanged.",
                                               "行列颠倒了。")),
            Wrong((lane + 16) % 32, text("Rows r and r + 8 belong to the same lane.", "第 r 行与第 r + 8 行在同一线程。")),
            Wrong(row % 8 * 4 + col % 4, text("A lane holds two neighbouring columns.", "每个线程持有相邻两列。")),
        ],
        text(
            f"Lane = 4 · (row mod 8) + column / 2 = 4 · {row % 8} + {col // 2} = {lane}, in its accumulator {register}. "
            "Each lane holds columns 2 · (lane mod 4) and the next one, in rows lane / 4 and lane / 4 + 8.",
            f"lane = 4 · (行 mod 8) + 列 / 2 = 4 · {row % 8} + {col // 2} = {lane}，位于第 {register} 号累加器。"
            "每个线程持有第 lane / 4 行与 lane / 4 + 8 行的第 2 · (lane mod 4) 列及其下一列。",
        ),
        proof=Proof(
            program(MMA + PROGRAM, f"own<<<1, 32>>>(y, {row}, {col});"),
            lane,
            lambda run: float(run.y[0]) - 1,
        ),
        parameters={"row": row, "col": col, "register": register},
    )
