from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def cost(ctype, pitch):
    return Request("shared", ctype, f"{pitch} * t").cost


def draw(rng):
    ctype = rng.choice(["float", "float", "float4"])
    words = 1 if ctype == "float" else 4
    width = rng.choice([24, 30, 32, 48, 64, 96, 128] if words == 1 else [32, 64, 96, 128])
    least = 1 if words == 1 else 4
    padding = next(p for p in range(0, 64, words) if cost(ctype, (width + p) // words) == least)
    request = Request("shared", ctype, f"{(width + padding) // words} * t")
    reads = text("one float", "一个 float") if words == 1 else text("one float4 (16-byte aligned)", "一个 float4（16 字节对齐）")
    return ask_number(
        rng,
        text(
            f"Rows of a shared tile hold {width} floats of data. Lane t reads {reads['en']} at the start of row t. "
            "What is the smallest number of floats to add to each row so that there is no bank conflict?",
            f"共享内存分块每行有 {width} 个 float 数据。线程 t 读取第 t 行开头的{reads['zh']}。"
            "每行至少要填充多少个 float 才没有存储体冲突？",
        ),
        padding,
        text("floats", "个 float"),
        [
            Wrong(1 if words == 4 else 4, text(
                "Padding by one breaks the 16-byte alignment that float4 needs." if words == 4
                else "Four keep 16-byte alignment, which single floats do not need, and leave a common divisor with 32.",
                "填充 1 个会破坏 float4 所需的 16 字节对齐。" if words == 4
                else "填充 4 个是为了 16 字节对齐；单个 float 不需要，而且与 32 仍有公约数。")),
            Wrong(2, text("The row width would still be even.", "行宽仍是偶数。")),
            Wrong(8, text("A smaller padding does it.", "更小的填充即可。")),
            Wrong(16, text("A smaller padding does it.", "更小的填充即可。")),
            Wrong(32, text("That moves every row by a whole turn of the banks and changes nothing.",
                           "那正好绕存储体一圈，毫无变化。")),
        ],
        text(
            "Single words: the row width has to be odd. " if words == 1 else
            "float4 loads are served eight lanes at a time; the eight must fall into eight different groups of four "
            "banks, so the row width has to be an odd multiple of four words. ",
            "单字访问：行宽须为奇数。" if words == 1 else
            "float4 读取每次服务 8 个线程；它们须落在 8 组不同的存储体（每组 4 个），行宽须为 4 字的奇数倍。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"type": ctype, "width": width},
    )
