from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

CONDITIONS = (
    ("t % 2 == 0", lambda t: t % 2 == 0),
    ("t < 16", lambda t: t < 16),
    ("t % 32 < 8", lambda t: t % 32 < 8),
    ("(t / 32) % 2 == 0", lambda t: t // 32 % 2 == 0),
    ("t < 32", lambda t: t < 32),
    ("t < 48", lambda t: t < 48),
    ("t < 64", lambda t: t < 64),
    ("t % 64 < 32", lambda t: t % 64 < 32),
    ("t == 0", lambda t: t == 0),
)

PROGRAM = """\
__global__ void branch(float* y) {{
    int t = threadIdx.x;
    if ({condition})
        atomicAdd(&y[t], 1.0f); // A
    else
        atomicAdd(&y[t], 2.0f); // B
}}
"""


def draw(rng):
    shown, condition = rng.choice(CONDITIONS)
    warps = rng.choice([2, 4])
    a, b = rng.sample([20, 30, 40, 50, 60, 80, 100], 2)
    total = 0
    both = 0
    for warp in range(warps):
        taken = {condition(t) for t in range(32 * warp, 32 * warp + 32)}
        total += (a if True in taken else 0) + (b if False in taken else 0)
        both += len(taken) == 2
    return ask_number(
        rng,
        text(
            f"A block of {32 * warps} threads, t = threadIdx.x. Branch A takes a warp {a} issue cycles and branch B {b}, "
            f"however many of its lanes are active:\n\n    if ({shown}) {{ A }} else {{ B }}\n\n"
            "How many issue cycles do all warps of the block take together?",
            f"一个线程块有 {32 * warps} 个线程，t = threadIdx.x。分支 A 使一个 warp 占用 {a} 个发射周期，分支 B 占用 {b} 个，"
            f"与活跃线程数无关：\n\n    if ({shown}) {{ A }} else {{ B }}\n\n该线程块所有 warp 合计多少个发射周期？",
        ),
        total,
        text("cycles", "个周期"),
        [
            Wrong(warps * (a + b), text("A warp whose lanes agree runs one branch only.", "线程一致的 warp 只执行一个分支。")),
            Wrong(warps * max(a, b), text("A warp that disagrees runs both branches, one after the other.",
                                          "线程不一致的 warp 要依次执行两个分支。")),
            Wrong(warps * (a + b) / 2, text("A warp's cost does not shrink with the share of its lanes in a branch.",
                                            "warp 的代价不随分支内线程比例减少。")),
            Wrong(a + b, text("Every warp issues its own instructions.", "每个 warp 各自发射指令。")),
            Wrong(warps * min(a, b), text("Some warps take the dearer branch.", "有些 warp 走较慢的分支。")),
            Wrong(warps * a, text("Some lanes take branch B.", "有些线程走分支 B。")),
        ],
        text(
            f"{both} of {warps} warps have lanes in both branches and run {a} + {b}; the others run one. Together {total}. "
            "A condition that is the same for all lanes of a warp costs nothing extra.",
            f"{warps} 个 warp 中有 {both} 个两边都有线程，执行 {a} + {b}；其余只执行一边。合计 {total}。"
            "对整个 warp 一致的条件没有额外代价。",
        ),
        proof=Proof(
            program(PROGRAM.format(condition=shown), f"branch<<<1, {32 * warps}>>>(y);"),
            total,
            lambda run: a * run.warps_at("A") + b * run.warps_at("B"),
        ),
        parameters={"condition": shown, "a": a, "b": b, "warps": warps},
    )
