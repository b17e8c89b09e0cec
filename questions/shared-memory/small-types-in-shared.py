from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import WIDTHS, Request


def draw(rng):
    ctype = rng.choice(["char", "short"])
    stride = rng.choice([1, 2, 3, 4, 6, 8, 16, 32, 33, 64, 66, 68, 128, 132])
    index = "t" if stride == 1 else f"{stride} * t"
    request = Request("shared", ctype, index)
    width = WIDTHS[ctype]
    return ask_number(
        rng,
        text(
            f"`{ctype} s[...]` ({width} byte{'s' * (width > 1)} an element) lies in shared memory, t is the lane. How "
            f"many wavefronts does `s[{index}]` take for a full warp?",
            f"`{ctype} s[...]`（每个元素 {width} 字节）位于共享内存，t 为 warp 内线程号。完整 warp 读取 "
            f"`s[{index}]` 需要多少次 wavefront？",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(4 // width, text("Lanes that use parts of the same four-byte word are served together.",
                                   "使用同一个 4 字节字的不同部分的线程会一起得到满足。")),
            Wrong(32, text("Banks are four bytes wide, and equal words count once.",
                           "存储体宽 4 字节，相同的字只计一次。")),
            Wrong(Request("shared", "float", index).cost, text(
                f"That is the answer for four-byte elements; here the stride is {stride * width} bytes.",
                f"那是 4 字节元素的答案；这里步长是 {stride * width} 字节。")),
            Wrong(max(1, stride * width // 4), text("The stride in words is the degree only where it divides 32.",
                                                   "以字计的步长只有整除 32 时才等于冲突度。")),
            Wrong(1, text("Different words of the same bank are wanted, so it cannot be done at once.",
                          "同一存储体需要不同的字，不能一次完成。")),
            Wrong(2, text("Count the different words in the busiest bank.", "请数最忙存储体中的不同字数。")),
        ],
        text(
            f"Lanes are {stride * width} bytes apart. What counts is the four-byte word: the busiest bank serves "
            f"{request.cost} different one{'s' * (request.cost > 1)}. Lanes within one word never conflict.",
            f"线程间隔 {stride * width} 字节。冲突按 4 字节的字计算：最忙的存储体提供 {request.cost} 个不同的字。"
            "同一个字内的线程不会冲突。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"type": ctype, "stride": stride},
    )
