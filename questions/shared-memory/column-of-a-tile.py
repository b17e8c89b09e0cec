from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    width = rng.choice([16, 24, 31, 32, 33, 34, 36, 40, 48, 63, 64, 65, 66, 68, 72, 96, 128, 132])
    column = rng.randrange(min(width, 8))
    store = rng.random() < 0.4
    request = Request("shared", "float", f"{width} * t + {column}", store=store)
    line = f"s[t][{column}] = v;" if store else f"float v = s[t][{column}];"
    return ask_number(
        rng,
        text(
            f"With t = threadIdx.x from 0 to 31:\n\n    __shared__ float s[32][{width}];\n    {line}\n\n"
            "How many wavefronts does the request of the warp take?",
            f"t = threadIdx.x，取 0 到 31：\n\n    __shared__ float s[32][{width}];\n    {line}\n\n"
            "这个 warp 的请求需要多少次 wavefront？",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(32, text("All lanes meet in one bank only if the row width is a multiple of 32 words.",
                           "只有行宽是 32 字的倍数时，所有线程才落在同一个存储体。")),
            Wrong(1, text(
                "Only an odd row width spreads a column over all 32 banks: lane t meets bank "
                f"({width} · t + {column}) mod 32.",
                f"只有奇数行宽才能把一列分散到全部 32 个存储体：线程 t 落在 ({width} · t + {column}) mod 32。")),
            Wrong(2, text("Count how many lanes share a bank: it is the greatest common divisor of row width "
                          "and 32.", "数一下共用一个存储体的线程数：等于行宽与 32 的最大公约数。")),
            Wrong(4, text("Padding by four words helps 16-byte accesses; for single words it leaves the common "
                          "divisor with 32.", "填充 4 个字对 16 字节访问有用；对单字访问仍有公约数。")),
            Wrong(column + 1, text("The column only turns the banks round; it does not change how many lanes "
                                   "share one.", "列号只是整体平移存储体，不改变共用的线程数。")),
            Wrong(8, text("That is the conflict of rows that are 8, 24, 40 ... words wide.",
                          "那是行宽为 8、24、40…… 字时的冲突。")),
        ],
        text(
            f"Lane t meets bank ({width} · t + {column}) mod 32. gcd({width}, 32) = {request.cost} lanes share "
            f"a bank with different words, so the request takes {request.cost} "
            f"wavefront{'s' * (request.cost > 1)}.",
            f"线程 t 落在存储体 ({width} · t + {column}) mod 32。gcd({width}, 32) = {request.cost} 个线程以不同的字"
            f"共用一个存储体，因此需要 {request.cost} 次 wavefront。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"width": width, "column": column, "op": "store" if store else "load"},
    )
