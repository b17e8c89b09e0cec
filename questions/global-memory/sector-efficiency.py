from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import WIDTHS, Request


def draw(rng):
    ctype, stride, offset = rng.choice(
        [(t, s, 0) for t in ("short", "float", "double") for s in (1, 2, 3, 4, 5, 8, 16)]
        + [(t, 1, o) for t in ("short", "float", "double") for o in (1, 3, 5)]
    )
    index = ("t" if stride == 1 else f"{stride} * t") + (f" + {offset}" if offset else "")
    request = Request("global", ctype, index)
    width = WIDTHS[ctype]
    return ask_number(
        rng,
        text(
            f"`const {ctype}* x` ({width} bytes an element) is aligned to 128 bytes. A full warp loads "
            f"`x[{index}]` with t = threadIdx.x. What share of the bytes in the touched 32-byte sectors does "
            "it use?",
            f"`const {ctype}* x`（每个元素 {width} 字节）按 128 字节对齐。一个完整 warp 读取 `x[{index}]`，"
            "t = threadIdx.x。所涉及的 32 字节扇区中，实际用到的字节占多少？",
        ),
        request.efficiency,
        text("%", "%"),
        [
            Wrong(100, text("Only a gapless span that starts and ends at sector boundaries uses everything.",
                            "只有无空隙且首尾都在扇区边界上的访问才能全部用到。")),
            Wrong(100 / stride if stride > 1 else 50, text(
                "One over the stride holds only until every lane has a sector of its own; and an offset does "
                "not halve anything.", "“步长分之一”只在线程尚未各占一个扇区时成立；偏移也不会减半。")),
            Wrong(100 * width / 32, text(
                "One element from each sector is the worst case, reached once lanes lie 32 bytes apart.",
                "每个扇区只用一个元素是最坏情形，线程间隔达到 32 字节时才会出现。")),
            Wrong(100 * width / 128, text(
                "That counts whole 128-byte lines; only the touched sectors of a line move.",
                "这是按 128 字节缓存行计算；只有涉及的扇区才会传输。")),
        ],
        text(
            f"The warp uses {request.used_bytes} bytes and touches {request.cost} sectors, "
            f"{request.cost * 32} bytes: {request.efficiency:.4g} %.",
            f"该 warp 用到 {request.used_bytes} 字节，涉及 {request.cost} 个扇区即 {request.cost * 32} 字节："
            f"{request.efficiency:.4g}%。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"type": ctype, "stride": stride, "offset": offset},
    )
