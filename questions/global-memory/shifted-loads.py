from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import WIDTHS, Request


def draw(rng):
    ctype = rng.choice(["char", "short", "float", "float", "double", "float4"])
    offset = rng.choice([1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 24, 31, 32])
    request = Request("global", ctype, f"t + {offset}")
    width = WIDTHS[ctype]
    aligned = offset * width % 32 == 0
    return ask_number(
        rng,
        text(
            f"`const {ctype}* x` starts at a 128-byte boundary. How many 32-byte sectors does this load of a "
            f"full warp touch?\n\n    {ctype} v = x[threadIdx.x + {offset}];",
            f"`const {ctype}* x` 起始于 128 字节边界。一个完整 warp 的这次读取涉及多少个 32 字节扇区？\n\n"
            f"    {ctype} v = x[threadIdx.x + {offset}];",
        ),
        request.cost,
        text("sectors", "个扇区"),
        [
            Wrong(
                width,
                text(
                    f"{width} sector{'s hold' if width > 1 else ' holds'} the bytes, but only if the first one "
                    "starts at a sector boundary. "
                    f"Here it starts {offset * width % 32} bytes into a sector.",
                    f"只有起点在扇区边界上才是 {width} 个。这里起点偏了 {offset * width % 32} 字节。",
                ),
            ),
            Wrong(
                width + 1,
                text(
                    f"{offset} elements are {offset * width} bytes, a whole number of sectors: the shift "
                    "costs nothing.",
                    f"{offset} 个元素为 {offset * width} 字节，恰为整数个扇区：偏移没有代价。",
                ),
            ),
            Wrong(
                2 * width,
                text(
                    "A shift does not double the traffic: it adds at most one sector at the end of the span.",
                    "偏移不会使流量翻倍：最多在末尾多一个扇区。",
                ),
            ),
            Wrong(
                32,
                text("The lanes are still side by side; nothing makes each of them pay for a sector.",
                     "线程仍然相邻，不会每个线程各占一个扇区。"),
            ),
            Wrong(
                width + 4,
                text(
                    "That adds a whole 128-byte line. Only the touched sectors of a line move.",
                    "这多算了一整条 128 字节缓存行；只有涉及的扇区才会传输。",
                ),
            ),
        ],
        text(
            f"The warp reads {32 * width} bytes beginning at byte {offset * width}. "
            + ("That is a sector boundary, so nothing is lost: " if aligned
               else "That is inside a sector, so one more is touched than the bytes would need: ")
            + f"{request.cost} sectors. The neighbouring warp uses the rest of a shared sector and mostly "
            "finds it in a cache: a shift costs requests, hardly any DRAM traffic.",
            f"该 warp 从第 {offset * width} 字节起读取 {32 * width} 字节。"
            + ("起点在扇区边界上，没有浪费：" if aligned else "起点在扇区中间，因此多涉及一个扇区：")
            + f"共 {request.cost} 个。相邻 warp 会用到共享扇区的其余部分，通常命中缓存，因此几乎不增加显存流量。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"type": ctype, "offset": offset},
    )
