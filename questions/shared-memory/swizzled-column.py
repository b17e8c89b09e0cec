from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    column = rng.randrange(32)
    swizzle = rng.choice(
        [
            f"{column} ^ t",
            f"({column} + t) % 32",
            f"{column} ^ (t % 8)",
            f"{column} ^ (t / 4)",
            f"{column} ^ (t % 16)",
            f"({column} + 2 * t) % 32",
            f"{column} ^ (t / 2)",
            f"({column} + 4 * t) % 32",
            f"{column}",
        ]
    )
    request = Request("shared", "float", f"32 * t + ({swizzle})")
    return ask_number(
        rng,
        text(
            f"A tile `__shared__ float s[32][32]` keeps element (r, {column}) of its matrix at a moved place. A "
            f"warp reads matrix column {column}, lane t taking row t:\n\n    float v = s[t][{swizzle}];\n\n"
            "How many wavefronts does it take?",
            f"分块 `__shared__ float s[32][32]` 把矩阵元素 (r, {column}) 存放在置换后的位置。一个 warp 读取矩阵的第 "
            f"{column} 列，线程 t 取第 t 行：\n\n    float v = s[t][{swizzle}];\n\n需要多少次 wavefront？",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(1, text("The moved columns have to be 32 different ones; here several rows get the same.",
                          "置换后的列号须有 32 个不同值；这里几行得到相同的列。")),
            Wrong(32, text("Rows are 32 words wide, so the bank is the moved column alone, and that changes with "
                           "the row.", "行宽 32 字，存储体就是置换后的列号，它随行变化。")),
            Wrong(2, text("Count how many rows get the same moved column.", "请数有多少行得到相同的列号。")),
            Wrong(4, text("Count how many rows get the same moved column.", "请数有多少行得到相同的列号。")),
            Wrong(8, text("Count how many rows get the same moved column.", "请数有多少行得到相同的列号。")),
        ],
        text(
            f"In a tile 32 words wide the bank is the second index. Over t = 0..31, `{swizzle}` takes "
            f"{32 // request.cost} different value{'s' * (request.cost < 32)}, so {request.cost} "
            f"lane{'s' * (request.cost > 1)} meet in a bank. A swizzle needs a bijection: c ^ t and (c + t) % 32 "
            "are two.",
            f"行宽 32 字时存储体就是第二个下标。t = 0..31 时 `{swizzle}` 有 {32 // request.cost} 个不同值，"
            f"因此 {request.cost} 个线程落在同一存储体。置换必须是双射：c ^ t 与 (c + t) % 32 都是。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"swizzle": swizzle, "column": column},
    )
