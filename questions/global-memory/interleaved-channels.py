from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import WIDTHS, Request


def draw(rng):
    channels = rng.choice([2, 3, 4])
    channel = rng.randrange(channels)
    ctype = rng.choice(["char", "char", "short", "float"])
    request = Request("global", ctype, f"{channels} * t + {channel}")
    width = WIDTHS[ctype]
    return ask_number(
        rng,
        text(
            f"An image has {channels} interleaved channels of {width} byte{'s' * (width > 1)} and starts at a "
            f"128-byte boundary. A full warp reads channel {channel} of 32 neighbouring pixels:\n\n"
            f"    {ctype} v = image[{channels} * t + {channel}];\n\nHow many 32-byte sectors does it touch?",
            f"一幅图像有 {channels} 个交错通道，每个 {width} 字节，起始于 128 字节边界。一个完整 warp 读取相邻 32 个"
            f"像素的通道 {channel}：\n\n    {ctype} v = image[{channels} * t + {channel}];\n\n"
            "涉及多少个 32 字节扇区？",
        ),
        request.cost,
        text("sectors", "个扇区"),
        [
            Wrong(width, text("That is a planar image, where the 32 values of one channel are side by side.",
                              "那是平面格式：同一通道的 32 个值相邻。")),
            Wrong(32, text("Many pixels fit into one sector; it is fetched once for all of them.",
                           "一个扇区容纳许多像素，只取一次。")),
            Wrong(max(1, channels * width // 4), text("That counts 128-byte lines.", "这是 128 字节缓存行数。")),
            Wrong(channels * width + 1, text("The span does not cross into another sector.",
                                             "跨度没有进入另一个扇区。")),
            Wrong(2 * channels * width, text("32 pixels are just the sectors between the first and the last.",
                                             "32 个像素只涉及首尾之间的扇区。")),
        ],
        text(
            f"32 pixels are {32 * channels * width} bytes, {channels * width} sectors, and every one holds "
            f"something of the channel; {request.efficiency:.3g} % is used. The other channels are in the same "
            "sectors: read all of them at once, or store planes.",
            f"32 个像素共 {32 * channels * width} 字节即 {channels * width} 个扇区，每个都含该通道的数据，利用率 "
            f"{request.efficiency:.3g}%。其他通道就在同一批扇区里：应一次读出全部通道，或改用平面格式。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"channels": channels, "channel": channel, "type": ctype},
    )
