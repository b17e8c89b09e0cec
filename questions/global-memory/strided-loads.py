from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import WIDTHS, Request

UNIT = text("sectors", "个扇区")


def draw(rng):
    ctype = rng.choice(["char", "short", "float", "float", "float", "double", "float4"])
    stride = rng.choice([2, 3, 4, 5, 6, 8, 12, 16, 32])
    store = rng.random() < 0.3
    array = "y" if store else "x"
    request = Request("global", ctype, f"{stride} * t", store=store)
    width = WIDTHS[ctype]
    line = f"{array}[{stride} * t] = v;" if store else f"{ctype} v = {array}[{stride} * t];"
    verb, verb_zh = ("writes", "写") if store else ("reads", "读")
    return ask_number(
        rng,
        text(
            f"Every lane of a full warp {verb} one `{ctype}` ({width} byte{'s' * (width > 1)}):\n\n"
            f"    int t = threadIdx.x;      // 0 to 31\n    {line}\n\n"
            f"`{array}` starts at a 128-byte boundary. How many 32-byte sectors does the request touch?",
            f"一个完整 warp 的每个线程{verb}一个 `{ctype}`（{width} 字节）：\n\n"
            f"    int t = threadIdx.x;      // 0 到 31\n    {line}\n\n"
            f"`{array}` 起始于 128 字节边界。这次请求涉及多少个 32 字节扇区？",
        ),
        request.cost,
        UNIT,
        [
            Wrong(
                max(1, width),
                text(
                    "That is what the warp needs without a stride: 32 lanes side by side. The gaps are "
                    "fetched too, because a sector is the smallest unit that moves.",
                    "这是不跨步时的数目。扇区是最小的传输单位，空隙也会被取来。",
                ),
            ),
            Wrong(
                stride,
                text(
                    "The stride itself is not the count: what matters is how many bytes the warp spans, "
                    "up to one sector (or more) for each lane.",
                    "步长本身不是答案：要看整个 warp 跨越多少字节，最多每个线程一个（或几个）扇区。",
                ),
            ),
            Wrong(
                -(-(31 * stride * width + width) // 128),
                text("That counts 128-byte lines. Traffic is counted in sectors of 32 bytes.",
                     "这是 128 字节缓存行的数目；流量按 32 字节扇区计算。"),
            ),
            Wrong(
                32,
                text(
                    "One sector for each lane is right only where neighbours are at least 32 bytes apart "
                    "and no element is wider than that.",
                    "只有相邻线程间隔不少于 32 字节时才是每线程一个扇区。",
                ),
            ),
            Wrong(
                1,
                text("A warp is one request, but a request moves every sector that it touches.",
                     "一个 warp 是一次请求，但它涉及的每个扇区都要传输。"),
            ),
        ],
        text(
            f"The lanes lie {stride * width} bytes apart and each uses {width}, so the warp spans "
            f"{31 * stride * width + width} bytes and touches {request.cost} different sectors. Of those "
            f"{request.cost * 32} bytes it uses {request.used_bytes}: {request.efficiency:.3g} %. "
            "From 32 bytes a stride on, every lane costs a sector of its own and it gets no worse.",
            f"线程间隔 {stride * width} 字节，每个用 {width} 字节，整个 warp 跨越 "
            f"{31 * stride * width + width} 字节，涉及 {request.cost} 个不同扇区。共 {request.cost * 32} "
            f"字节中只用到 {request.used_bytes} 字节：{request.efficiency:.3g}%。"
            "间隔达到 32 字节后，每个线程独占一个扇区，不会更差。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"type": ctype, "stride": stride, "op": "store" if store else "load"},
    )
