from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import WIDTHS, Request


def draw(rng):
    ctype = rng.choice(["float2", "float4", "double", "float4"])
    stride = rng.choice([1, 1, 2, 3, 4])
    index = "t" if stride == 1 else f"{stride} * t"
    request = Request("global", ctype, index)
    width = WIDTHS[ctype]
    return ask_number(
        rng,
        text(
            f"`const {ctype}* x` ({width} bytes an element) is aligned to 128 bytes. With t = threadIdx.x, how "
            f"many 32-byte sectors does one load instruction of a full warp touch?\n\n"
            f"    {ctype} v = x[{index}];",
            f"`const {ctype}* x`（每个元素 {width} 字节）按 128 字节对齐，t = threadIdx.x。一个完整 warp 的一条"
            f"读取指令涉及多少个 32 字节扇区？\n\n    {ctype} v = x[{index}];",
        ),
        request.cost,
        text("sectors", "个扇区"),
        [
            Wrong(4, text(
                f"That is a float for each lane, side by side; elements of {width} bytes take more.",
                f"那是每线程一个 float、彼此相邻的情形；{width} 字节的元素需要更多。")),
            Wrong(1, text("One instruction is one request, but a request can take many sectors.",
                          "一条指令是一次请求，但一次请求可涉及许多扇区。")),
            Wrong(width, text("That is the count without a stride.", "这是不跨步时的数目。")),
            Wrong(32, text(f"Lanes share a sector while {width}-byte elements lie closer than 32 bytes.",
                           f"{width} 字节的元素间隔小于 32 字节时，线程共用扇区。")),
            Wrong(stride * width // 4, text("That counts 128-byte lines; a line has four sectors.",
                                            "这是 128 字节缓存行数；一行有四个扇区。")),
        ],
        text(
            f"32 lanes use {request.used_bytes} bytes over a span of {31 * stride * width + width}: "
            f"{request.cost} sectors, {request.efficiency:.3g} % used. A wide load does not move the same bytes in fewer "
            "sectors: what it saves is instructions, a quarter as many for float4, with four times the bytes in "
            "flight each.",
            f"32 个线程在 {31 * stride * width + width} 字节的跨度内使用 {request.used_bytes} 字节："
            f"{request.cost} 个扇区，利用率 {request.efficiency:.3g}%。更宽的读取不会减少每字节的扇区数，节省的是"
            "指令数：float4 只需四分之一，每条指令在途字节为四倍。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"type": ctype, "stride": stride},
    )
