from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    stride = rng.choice([2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 31, 32, 33, 48, 64])
    offset = rng.choice([0, 0, 1, 5])
    index = f"{stride} * t" + (f" + {offset}" if offset else "")
    request = Request("shared", "int", index)
    return ask_number(
        rng,
        text(
            f"`int s[...]` lies in shared memory, t is the lane. How many wavefronts does `s[{index}]` take for "
            "a full warp?",
            f"`int s[...]` 位于共享内存，t 为 warp 内线程号。完整 warp 读取 `s[{index}]` 需要多少次 wavefront？",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(stride, text(
                "The stride is the degree only where it divides 32; otherwise the greatest common divisor of "
                "stride and 32 counts.", "只有步长整除 32 时冲突度才等于步长；一般是步长与 32 的最大公约数。")),
            Wrong(1, text("An even stride brings several lanes to one bank.",
                          "偶数步长会让多个线程落在同一个存储体。")),
            Wrong(32, text("All 32 lanes meet in one bank only if the stride is a multiple of 32.",
                           "只有步长是 32 的倍数时，32 个线程才全部落在同一个存储体。")),
            Wrong(2, text("That is the answer for strides 2, 6, 10 ...", "那是步长 2、6、10…… 的答案。")),
            Wrong(16, text("That is the answer for strides 16, 48 ...", "那是步长 16、48…… 的答案。")),
        ],
        text(
            f"Bank of lane t: ({index}) mod 32. Lanes 32 / gcd({stride}, 32) apart meet again, so "
            f"gcd = {request.cost} different words wait for the busiest bank. Odd strides are free.",
            f"线程 t 的存储体：({index}) mod 32。每隔 32 / gcd({stride}, 32) 个线程就再次相遇，"
            f"最忙的存储体要提供 gcd = {request.cost} 个不同的字。奇数步长没有冲突。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"stride": stride, "offset": offset},
    )
