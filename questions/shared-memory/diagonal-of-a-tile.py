from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    width = rng.choice([32, 33, 34, 35, 36, 40, 48, 63, 64, 65])
    anti = rng.random() < 0.4
    shown = "s[t][31 - t]" if anti else "s[t][t]"
    step = width - 1 if anti else width + 1
    request = Request("shared", "float", f"{width - 1} * t + 31" if anti else f"{width + 1} * t")
    column = Request("shared", "float", f"{width} * t").cost
    return ask_number(
        rng,
        text(
            f"With t = threadIdx.x from 0 to 31, how many wavefronts does the load take?\n\n"
            f"    __shared__ float s[32][{width}];\n    float v = {shown};",
            f"t = threadIdx.x，取 0 到 31。这次读取需要多少次 wavefront？\n\n"
            f"    __shared__ float s[32][{width}];\n    float v = {shown};",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(column, text("That is the conflict of a column. On a diagonal the column changes with the row.",
                               "那是读取一列的冲突。对角线上列号随行号变化。")),
            Wrong(32, text(f"Neighbouring lanes are {step} words apart, which is no multiple of 32.",
                           f"相邻线程间隔 {step} 个字，不是 32 的倍数。")),
            Wrong(1, text(f"Neighbouring lanes are {step} words apart, and {step} shares a factor with 32. Padding "
                          "that helps columns can hurt diagonals.",
                          f"相邻线程间隔 {step} 个字，与 32 有公因子。对列有用的填充可能害了对角线。")),
            Wrong(2, text("Work out the distance of neighbouring lanes in words, then its common divisor with 32.",
                          "先算相邻线程间隔的字数，再求它与 32 的公约数。")),
            Wrong(16, text("Half of the lanes would have to meet in one bank.", "那需要一半线程落在同一个存储体。")),
        ],
        text(
            f"{shown} is word {'31 + ' if anti else ''}{step} · t, so the degree is gcd({step}, 32) = "
            f"{request.cost}. A row width of 32 is good for diagonals and bad for columns; 33 is the other way "
            "round for some diagonals.",
            f"{shown} 是第 {'31 + ' if anti else ''}{step} · t 个字，冲突度为 gcd({step}, 32) = {request.cost}。"
            "行宽 32 对对角线有利、对列不利；33 则可能相反。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"width": width, "anti": int(anti)},
    )
