from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import WIDTHS, Request


def draw(rng):
    ctype = rng.choice(["short", "float", "float", "double", "float4"])
    lanes = rng.choice([1, 3, 4, 7, 9, 12, 16, 17, 20, 25, 31])
    stride = rng.choice([1, 1, 2, 3, 4, 8])
    index = "t" if stride == 1 else f"{stride} * t"
    request = Request("global", ctype, index, lanes=lanes)
    full = Request("global", ctype, index)
    width = WIDTHS[ctype]
    return ask_number(
        rng,
        text(
            f"The last warp of a grid, with t from 0 to 31 and x aligned to 128 bytes:\n\n"
            f"    if (t < {lanes}) {{\n        {ctype} v = x[{index}];   // {width} bytes\n        ...\n    }}\n\n"
            "How many 32-byte sectors does the load touch?",
            f"网格的最后一个 warp，t 为 0 到 31，x 按 128 字节对齐：\n\n"
            f"    if (t < {lanes}) {{\n        {ctype} v = x[{index}];   // {width} 字节\n        ...\n    }}\n\n"
            "这次读取涉及多少个 32 字节扇区？",
        ),
        request.cost,
        text("sectors", "个扇区"),
        [
            Wrong(full.cost, text("Inactive lanes touch nothing: that is the count of a full warp.",
                                  "不活跃的线程不访问内存：这是完整 warp 的数目。")),
            Wrong(lanes, text("Lanes that fall into the same sector share it.",
                              "落在同一扇区的线程共用该扇区。")),
            Wrong(-(-lanes * width // 32), text(
                "That leaves out the gaps: sectors move whole, used or not.",
                "这没有算入空隙：扇区总是整块传输。")),
            Wrong(4, text("A guard does not turn every access into one 128-byte line.",
                          "条件判断不会让访问变成一条 128 字节缓存行。")),
            Wrong(request.cost + 1, text("Both ends are counted already: no sector follows the last one used.",
                                         "首尾均已计入：最后一个扇区之后没有多余的。")),
        ],
        text(
            f"{lanes} lane{'s' * (lanes > 1)}, {stride * width} bytes apart: the last one ends at byte "
            f"{(lanes - 1) * stride * width + width}, and {request.cost} sector{'s' * (request.cost > 1)} hold{'s' * (request.cost == 1)} something used.",
            f"{lanes} 个线程，间隔 {stride * width} 字节：最后一个止于第 "
            f"{(lanes - 1) * stride * width + width} 字节，共 {request.cost} 个扇区含有用到的数据。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"type": ctype, "lanes": lanes, "stride": stride},
    )
