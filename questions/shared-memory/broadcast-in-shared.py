from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    group = rng.choice([2, 4, 8, 16, 32])
    step = rng.choice([1, 2, 8, 16, 32, 33])
    by_modulo = rng.random() < 0.4
    inner = f"t % {32 // group}" if by_modulo else f"t / {group}"
    index = f"({inner})" + ("" if step == 1 else f" * {step}")
    request = Request("shared", "float", index)
    return ask_number(
        rng,
        text(
            f"`float s[...]` lies in shared memory, t is the lane. How many wavefronts does loading `s[{index}]` take "
            "for a full warp?",
            f"`float s[...]` 位于共享内存，t 为 warp 内线程号。完整 warp 读取 `s[{index}]` 需要多少次 wavefront？",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(32, text("Lanes that want the same word get it together.", "需要同一个字的线程一起得到它。")),
            Wrong(group, text("A word that several lanes want is read once and broadcast; that is no conflict.",
                              "多个线程需要的字只读一次并广播，不算冲突。")),
            Wrong(32 // group, text("Different words only wait for each other if they lie in the same bank.",
                                    "不同的字只有在同一存储体中才需要排队。")),
            Wrong(1, text("Different words that lie in one bank cannot be served together.",
                          "同一存储体中的不同字不能同时提供。")),
            Wrong(2, text("Count the different words in the busiest bank.", "请数最忙存储体中的不同字数。")),
        ],
        text(
            f"There are {32 // group} different word{'s' * (group < 32)}, each wanted by {group} lanes, {step} "
            f"word{'s' * (step > 1)} apart. Equal words are broadcast; the busiest bank serves {request.cost}.",
            f"共有 {32 // group} 个不同的字，各有 {group} 个线程需要，间隔 {step} 个字。相同的字会广播；"
            f"最忙的存储体提供 {request.cost} 个。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"group": group, "step": step, "modulo": int(by_modulo)},
    )
