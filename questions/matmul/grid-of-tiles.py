import math

from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program
from trainer.sim.devices import MODELS


def draw(rng):
    gpu = MODELS[rng.choice(["A100", "H200"])]
    m = rng.choice([256, 1024, 2048, 4096, 8192])
    n = rng.choice([1024, 4096, 8192])
    bm, bn = rng.choice([(64, 64), (128, 128), (128, 256)])
    tiles = math.ceil(m / bm) * math.ceil(n / bn)
    waves = math.ceil(tiles / gpu.multiprocessors)
    return ask_number(
        rng,
        text(
            f"C is {m} × {n}, one block for every {bm} × {bn} tile, one resident block on each of the "
            f"{gpu.multiprocessors} multiprocessors of an NVIDIA {gpu.name}. How many waves does the grid take?",
            f"C 为 {m} × {n}，每个 {bm} × {bn} 分块一个线程块，NVIDIA {gpu.name} 的 {gpu.multiprocessors} 个 SM 各驻留一块。"
            "整个网格要几波？",
        ),
        waves,
        text("waves", "波"),
        [
            Wrong(tiles, text("That is the number of tiles.", "那是分块数。")),
            Wrong(tiles // gpu.multiprocessors, text("What is left over takes a wave of its own.", "剩余部分还要一波。")),
            Wrong(waves + 1, text("The last wave is counted already.", "最后一波已计入。")),
            Wrong(math.ceil(m * n / (bm * bn) / gpu.multiprocessors / 2), text("One block is resident, not two.",
                                                                              "每个 SM 驻留一块，不是两块。")),
            Wrong(math.ceil(m / bm), text("That is the number of tile rows.", "那是分块的行数。")),
        ],
        text(
            f"{math.ceil(m / bm)} · {math.ceil(n / bn)} = {tiles} tiles, {tiles / gpu.multiprocessors:.3g} waves, which "
            f"take {waves}: {100 * tiles / gpu.multiprocessors / waves:.3g} % of the slots are busy."
            + (" Splitting the inner dimension (split-K) would fill the machine." if tiles < gpu.multiprocessors else ""),
            f"{math.ceil(m / bm)} · {math.ceil(n / bn)} = {tiles} 个分块，{tiles / gpu.multiprocessors:.3g} 波，实际 {waves} 波："
            f"槽位利用率 {100 * tiles / gpu.multiprocessors / waves:.3g}%。"
            + ("切分内维（split-K）可填满整机。" if tiles < gpu.multiprocessors else ""),
        ),
        gpu=gpu.name,
        proof=Proof(
            program(
                "__global__ void tile(float* y) { y[0] = 1.0f; }\n",
                f"tile<<<dim3(({n} + {bn} - 1) / {bn}, ({m} + {bm} - 1) / {bm}), 1>>>(y);",
            ),
            waves,
            lambda run: math.ceil(run.blocks / gpu.multiprocessors),
        ),
        parameters={"m": m, "n": n, "bm": bm, "bn": bn},
    )
