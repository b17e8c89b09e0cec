from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

PROGRAM = """\
__global__ void fragments(const float* x, float* y, int steps) {{
    __shared__ float a[4][4 * {tm}], b[4][8 * {tn}];
    int t = threadIdx.x;
    for (int i = t; i < 16 * {tm}; i += 32) a[0][i] = x[i];
    for (int i = t; i < 32 * {tn}; i += 32) b[0][i] = x[i];
    __syncthreads();
    float sum[{tm}][{tn}] = {{}};
    for (int k = 0; k < steps; ++k) {{
        float u[{tm}], v[{tn}];
        for (int i = 0; i < {tm}; ++i) u[i] = a[k][t / 8 * {tm} + i];
        for (int j = 0; j < {tn}; ++j) v[j] = b[k][t % 8 * {tn} + j];
        for (int i = 0; i < {tm}; ++i)
            for (int j = 0; j < {tn}; ++j) sum[i][j] += u[i] * v[j];
    }}
    for (int i = 0; i < {tm}; ++i)
        for (int j = 0; j < {tn}; ++j) y[(i * {tn} + j) * 32 + t] = sum[i][j];
}}
"""


def draw(rng):
    tm, tn = rng.choice([(1, 1), (2, 2), (4, 4), (8, 8), (4, 8), (8, 4), (2, 4), (1, 8), (6, 6), (8, 16)])
    words = (tm + tn) / (tm * tn)
    return ask_number(
        rng,
        text(
            f"In a tiled matrix product every thread keeps {tm} × {tn} outputs in registers. For each step of the inner "
            "loop it loads its fragments of A and B from shared memory once. How many words does it load for each "
            "multiply-add?",
            f"分块矩阵乘中每个线程在寄存器里保存 {tm} × {tn} 个输出。内层循环每一步从共享内存各读一次 A、B 片段。"
            "平均每次乘加读取多少个字？",
        ),
        words,
        text("words", "个字"),
        [
            Wrong(2, text("That is one output a thread: nothing is used twice.", "那是每线程一个输出：没有复用。")),
            Wrong(1 / (tm * tn), text("Fragments have tm + tn words, not one.", "片段共有 tm + tn 个字，不是一个。")),
            Wrong(2 / (tm * tn), text("Fragments have tm + tn words, not two.", "片段共有 tm + tn 个字，不是两个。")),
            Wrong((tm + tn) / 2, text("Divide by the number of multiply-adds, tm · tn.", "应除以乘加次数 tm · tn。")),
            Wrong(words / 2, text("Count both fragments.", "两个片段都要算。")),
            Wrong(words * 2, text("Each word of a fragment is loaded once a step.", "片段中每个字每步只读一次。")),
        ],
        text(
            f"{tm} + {tn} words serve {tm} · {tn} multiply-adds: {words:.4g}. A multiprocessor of an H200 loads 32 words "
            "from shared memory and does 128 multiply-adds a clock, so 0.25 is what it can feed: 8 × 8.",
            f"{tm} + {tn} 个字供 {tm} · {tn} 次乘加：{words:.4g}。H200 的 SM 每周期从共享内存读 32 个字、做 128 次乘加，"
            "因此不超过 0.25 才能喂满：即 8 × 8。",
        ),
        gpu="H200",
        relative=0.02,
        proof=Proof(
            program(PROGRAM.format(tm=tm, tn=tn), "fragments<<<1, 32>>>(x, y, n);"),
            words,
            lambda run: run.shared_words_loaded() / (run.flops / 2),
            n=4,
        ),
        parameters={"tm": tm, "tn": tn},
    )
