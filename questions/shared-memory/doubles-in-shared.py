from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    stride = rng.choice([1, 1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33])
    index = "t" if stride == 1 else f"{stride} * t"
    request = Request("shared", "double", index)
    as_words = Request("shared", "float", f"{2 * stride} * t").cost
    return ask_number(
        rng,
        text(
            f"`double s[...]` lies in shared memory, t is the lane. How many wavefronts does loading `s[{index}]` "
            "take for a full warp?",
            f"`double s[...]` 位于共享内存，t 为 warp 内线程号。完整 warp 读取 `s[{index}]` 需要多少次 wavefront？",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(1, text("32 doubles are 64 words; a wavefront serves 32. It takes two at least.",
                          "32 个 double 是 64 个字；一次 wavefront 提供 32 个，至少两次。")),
            Wrong(2, text("That is the least, reached when each half of the warp covers all banks once.",
                          "那是最少次数：半个 warp 恰好覆盖每个存储体一次时才达到。")),
            Wrong(2 * as_words, text("Lanes of different halves of the warp never meet: 64-bit requests go by "
                                     "half-warps.", "64 位请求按半个 warp 处理，不同半部的线程不会相撞。")),
            Wrong(stride, text("The stride counts doubles, and banks are four bytes wide.",
                               "步长以 double 计，而存储体宽 4 字节。")),
            Wrong(32, text("Only if no two lanes of a half-warp could be served together.",
                           "那意味着半个 warp 内任何两个线程都不能同时满足。")),
        ],
        text(
            f"Each half-warp goes by itself: 16 lanes, {2 * stride} words apart, two words each: "
            f"{request.cost // 2} wavefront{'s' * (request.cost > 2)} a half, {request.cost} in all. Two is the "
            "least and no conflict.",
            f"两个半 warp 分别处理：16 个线程，间隔 {2 * stride} 个字，各占两个字：每半 {request.cost // 2} 次，"
            f"共 {request.cost} 次。最少两次，两次不算冲突。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"stride": stride},
    )
