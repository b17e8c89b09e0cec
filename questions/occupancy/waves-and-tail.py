import math

from trainer.quiz.build import Wrong, ask_number, text
from trainer.sim.devices import MODELS


def draw(rng):
    gpu = MODELS[rng.choice(["A100", "H200", "RTX 4090", "RTX 3090"])]
    each = rng.choice([1, 1, 2, 3, 4])
    room = gpu.multiprocessors * each
    whole = rng.randrange(1, 6)
    blocks = room * whole + rng.choice([1, room // 8, room // 4, room // 2, room - 5])
    waves = blocks / room
    percent = 100 * waves / math.ceil(waves)
    return ask_number(
        rng,
        text(
            f"{blocks} blocks that all take the same time run on an NVIDIA {gpu.name} ({gpu.multiprocessors} "
            f"multiprocessors), {each} resident on each. What share of the machine's block slots is busy over the whole "
            "run?",
            f"{blocks} 个耗时相同的线程块运行于 NVIDIA {gpu.name}（{gpu.multiprocessors} 个 SM），每个 SM 驻留 {each} 块。"
            "整个运行期间线程块槽位的平均利用率是多少？",
        ),
        percent,
        text("%", "%"),
        [
            Wrong(100, text("The last wave does not fill the machine.", "最后一波没有填满整机。")),
            Wrong(100 * (waves - int(waves)), text("That is how full the last wave alone is.",
                                                   "那只是最后一波的填充率。")),
            Wrong(100 * int(waves) / math.ceil(waves), text("The blocks of the last wave do useful work, too.",
                                                            "最后一波的线程块也在做有用功。")),
            Wrong(100 * math.ceil(waves) / (math.ceil(waves) + 1), text("Divide the exact number of waves by the next "
                                                                        "whole number.", "用精确波数除以向上取整的波数。")),
            Wrong(percent / 2, text("Work out waves = blocks / (multiprocessors · resident blocks).",
                                    "波数 = 块数 /（SM 数 · 每 SM 驻留块数）。")),
        ],
        text(
            f"{room} blocks run at a time: {waves:.4g} waves, which take {math.ceil(waves)}. {waves:.4g} / "
            f"{math.ceil(waves)} = {percent:.4g} %. More and smaller blocks, or a persistent grid, shrink the tail.",
            f"同时运行 {room} 块：{waves:.4g} 波，实际占 {math.ceil(waves)} 波。{waves:.4g} / {math.ceil(waves)} = "
            f"{percent:.4g}%。更多更小的块或常驻网格可以缩短尾部。",
        ),
        gpu=gpu.name,
        relative=0.01,
        parameters={"blocks": blocks, "resident": each},
    )
