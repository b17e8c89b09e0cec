from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import WIDTHS, Request


def draw(rng):
    ctype = rng.choice(["short", "float", "double", "float4"])
    group = rng.choice([2, 4, 8, 16, 32])
    spread = rng.choice([1, 1, 4, 100])
    step = "" if spread == 1 else f" * {spread}"
    request = Request("global", ctype, f"(t / {group}){step}")
    width = WIDTHS[ctype]
    return ask_number(
        rng,
        text(
            f"`const {ctype}* x` ({width} bytes an element) is aligned to 128 bytes. With t = threadIdx.x, how "
            f"many 32-byte sectors does this load of a full warp touch?\n\n    {ctype} v = x[(t / {group}){step}];",
            f"`const {ctype}* x`（每个元素 {width} 字节）按 128 字节对齐，t = threadIdx.x。一个完整 warp 的这次"
            f"读取涉及多少个 32 字节扇区？\n\n    {ctype} v = x[(t / {group}){step}];",
        ),
        request.cost,
        text("sectors", "个扇区"),
        [
            Wrong(32, text("Lanes that read the same element do not fetch it again each.",
                           "读取同一元素的线程不会各取一次。")),
            Wrong(width, text("That is one element for each lane, side by side.",
                              "那是每个线程一个相邻元素的情形。")),
            Wrong(32 // group, text(
                f"There are {32 // group} different elements, but how many sectors they take depends on how far "
                "apart they lie.", f"有 {32 // group} 个不同元素，但占多少扇区取决于间隔。")),
            Wrong(group, text("The size of a group is how many lanes share an element.",
                              "组的大小是共用一个元素的线程数。")),
            Wrong(max(2, 2 * request.cost), text("A sector is counted once in a request, however many use it.",
                                                 "无论多少线程使用，一个扇区在一次请求中只计一次。")),
        ],
        text(
            f"The warp uses {32 // group} different element{'s' * (group < 32)}, {spread * width} bytes apart: "
            f"{request.cost} sector{'s' * (request.cost > 1)}. Equal addresses are served by the same fetch.",
            f"该 warp 用到 {32 // group} 个不同元素，间隔 {spread * width} 字节：{request.cost} 个扇区。"
            "相同地址由同一次取数满足。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"type": ctype, "group": group, "spread": spread},
    )
