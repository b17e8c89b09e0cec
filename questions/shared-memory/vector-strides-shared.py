from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    ctype = rng.choice(["float4", "float4", "float2"])
    words = 4 if ctype == "float4" else 2
    pitch = words * rng.choice([1, 1, 2, 3, 4, 5, 8, 9, 16, 17])
    request = Request("shared", ctype, f"{pitch // words} * t")
    parts = 4 if ctype == "float4" else 2
    scalar = Request("shared", "float", f"{pitch} * t").cost
    return ask_number(
        rng,
        text(
            f"Lane t of a full warp loads a `{ctype}` ({words} words) from shared memory, at word {pitch} · t. How "
            "many wavefronts does the instruction take?",
            f"完整 warp 的线程 t 从共享内存的第 {pitch} · t 个字处读取一个 `{ctype}`（{words} 个字）。"
            "这条指令需要多少次 wavefront？",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(scalar, text(
                f"That is a single-word access with this stride. A {ctype} load is served in {parts} parts, and "
                "only lanes of the same part can meet.",
                f"那是同一步长的单字访问。{ctype} 读取分 {parts} 部分完成，只有同一部分的线程才会相撞。")),
            Wrong(1, text(f"32 lanes want {32 * words} words, and 32 banks serve 32 words a wavefront: "
                          f"{parts} at least.",
                          f"32 个线程需要 {32 * words} 个字，每次 wavefront 最多 32 个字：至少 {parts} 次。")),
            Wrong(parts * scalar, text(
                "Parts and conflicts do not multiply like that: within a part there are fewer lanes to meet.",
                "部分数与冲突不能这样相乘：一部分内的线程更少。")),
            Wrong(parts, text("That is the least; here lanes of one part meet in a bank with different words.",
                              "那是最少次数；这里同一部分的线程在存储体上以不同的字相撞。")),
            Wrong(32, text("Only if no two lanes could be served together.",
                           "那意味着任何两个线程都不能同时满足。")),
            Wrong(2 * parts, text("No bank of a part serves exactly two different words here.",
                                  "这里各部分最忙的存储体并不是两个不同的字。")),
        ],
        text(
            f"{ctype} loads go in {parts} parts of {32 // parts} lanes. Within a part the lanes cover "
            f"{words} banks each, {pitch} words apart: {request.cost} wavefronts in all, where {parts} are the least.",
            f"{ctype} 读取分为 {parts} 部分，每部分 {32 // parts} 个线程。部分内每个线程占 {words} 个存储体，间隔 "
            f"{pitch} 个字：共 {request.cost} 次 wavefront。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"type": ctype, "pitch": pitch},
    )
