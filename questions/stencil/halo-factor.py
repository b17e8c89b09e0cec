from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

PROGRAM = """\
__global__ void need(float* y) {{
    for (int i = threadIdx.x; i < {edge} * {edge}; i += 256)
        for (int r = 0; r < {width}; ++r)
            for (int c = 0; c < {width}; ++c)
                y[(i / {edge} + r) * ({edge} + {width}) + i % {edge} + c] = 1.0f;
}}
"""


def draw(rng):
    edge = rng.choice([8, 16, 32, 64])
    width = rng.choice([3, 5, 7, 9, 11, 15])
    factor = ((edge + width - 1) / edge) ** 2
    return ask_number(
        rng,
        text(
            f"A {width} × {width} filter: every block writes a tile of {edge} × {edge} results and first loads all inputs "
            "it needs into shared memory. How many inputs does it load for each result?",
            f"{width} × {width} 滤波：每个线程块写出 {edge} × {edge} 的结果，先把所需输入全部读入共享内存。平均每个结果读多少个输入？",
        ),
        factor,
        text("", ""),
        [
            Wrong(width**2, text("That is without shared memory.", "那是不用共享内存的情形。")),
            Wrong(1, text("A tile needs a rim around it, which its neighbours load as well.",
                          "分块周围还要一圈光环，相邻块也会读。")),
            Wrong((edge + width - 1) / edge, text("There is a rim in both directions.", "两个方向都有光环。")),
            Wrong(((edge + 2 * (width - 1)) / edge) ** 2, text(
                f"The rim is {width // 2} wide on each side, {width - 1} together.",
                f"每侧光环宽 {width // 2}，合计 {width - 1}。")),
            Wrong(((edge + width // 2) / edge) ** 2, text("There is a rim on both sides.", "两侧都有光环。")),
        ],
        text(
            f"({edge} + {width - 1})² / {edge}² = {factor:.3g}. Larger tiles pay less; much of the rim comes from L2.",
            f"({edge} + {width - 1})² / {edge}² = {factor:.3g}。分块越大代价越小；光环大多来自 L2。",
        ),
        relative=0.02,
        proof=Proof(
            program(PROGRAM.format(edge=edge, width=width), "need<<<1, 256>>>(y);"),
            factor,
            lambda run: float((run.y != 0).sum()) / edge**2,
        ),
        parameters={"edge": edge, "width": width},
    )
