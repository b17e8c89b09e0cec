from trainer.quiz.build import Wrong, ask_number, text


def draw(rng):
    share = rng.choice([10, 20, 25, 30, 40, 50, 60, 75, 80, 90, 95])
    factor = rng.choice([2, 3, 4, 5, 8, 10, 20, 100])
    part = share / 100
    speedup = 1 / (1 - part + part / factor)
    return ask_number(
        rng,
        text(
            f"A kernel that takes {share} % of a program's time is made {factor} times faster. How much faster does the "
            "whole program become?",
            f"某核函数占程序时间的 {share}%，把它加速 {factor} 倍后，整个程序加速多少倍？",
        ),
        speedup,
        text("x", "x"),
        [
            Wrong(factor, text("Only the kernel becomes that much faster; the rest takes as long as before.",
                               "只有该核函数加速这么多，其余部分耗时不变。")),
            Wrong(1 / (1 - part), text("That is the limit for an infinitely fast kernel.", "那是核函数无限快时的极限。")),
            Wrong(1 + part * factor, text("Times add up, speed-ups do not.", "可以相加的是时间，不是加速比。")),
            Wrong(1 + part * (factor - 1), text("Times add up, speed-ups do not.", "可以相加的是时间，不是加速比。")),
            Wrong(1 / (part + (1 - part) / factor), text("That makes the other part faster.", "那是加速了另一部分。")),
        ],
        text(
            f"The time left is {1 - part:.2g} + {part:.2g} / {factor} = {1 / speedup:.4g} of what it was: "
            f"{speedup:.3g} times faster. However fast the kernel, {1 / (1 - part):.3g} is the limit.",
            f"剩余时间为原来的 {1 - part:.2g} + {part:.2g} / {factor} = {1 / speedup:.4g}：加速 {speedup:.3g} 倍。"
            f"核函数再快，极限也只有 {1 / (1 - part):.3g} 倍。",
        ),
        relative=0.02,
        parameters={"share": share, "factor": factor},
    )
