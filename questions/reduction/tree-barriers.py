from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

SHUFFLES = """\
__global__ void sum(const float* x, float* y) {{
    __shared__ float sums[32];
    int t = threadIdx.x;
    float v = x[t];
    for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
    if (t % 32 == 0) sums[t / 32] = v;
    __syncthreads();
    if (t < 32) {{
        v = t < {warps} ? sums[t] : 0.0f;
        for (int k = {warps} / 2; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
        if (t == 0) y[0] = v;
    }}
}}
"""
TREE = """\
__global__ void sum(const float* x, float* y) {{
    __shared__ float s[{threads}];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = {threads} / 2; k > 0; k /= 2) {{
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }}
    if (t == 0) y[0] = s[0];
}}
"""


def draw(rng):
    threads = rng.choice([64, 128, 256, 512, 1024])
    warps = threads // 32
    second = max(1, (warps - 1).bit_length())
    shuffles = 5 + second
    tree = threads.bit_length() - 1
    if rng.random() < 0.5:
        return ask_number(
            rng,
            text(
                f"A block of {threads} threads sums one value a thread: every warp reduces with __shfl_down_sync, the first "
                f"lanes put {warps} sums into shared memory, the first warp reduces those. How many shuffle steps does the "
                "first warp do in all, if the second round only does the steps it needs?",
                f"{threads} 个线程各有一个值求和：每个 warp 用 __shfl_down_sync 归约，首线程把 {warps} 个部分和写入共享内存，"
                "再由第一个 warp 归约。若第二轮只做必要的步数，第一个 warp 共做几步 shuffle？",
            ),
            shuffles,
            text("steps", "步"),
            [
                Wrong(10, text(f"{warps} values need only {second} more step{'s' * (second > 1)}.",
                               f"{warps} 个值只需再做 {second} 步。")),
                Wrong(5, text("That is one warp alone.", "那只是一个 warp 内的步数。")),
                Wrong(tree + 1, text("The logarithms add up exactly here.", "对数恰好相加。")),
                Wrong(31, text("Each step halves the number of values.", "每一步把值的个数减半。")),
                Wrong(warps, text("Partial sums are added in a tree, not one by one.", "部分和以树形相加，不是逐个相加。")),
            ],
            text(
                f"log2(32) = 5 within the warps, log2({warps}) = {second} for the sums: {shuffles}. One barrier between the "
                f"rounds is enough; a tree in shared memory takes {tree}.",
                f"warp 内 log2(32) = 5 步，部分和 log2({warps}) = {second} 步：共 {shuffles} 步。两轮之间一次屏障即可；"
                f"纯共享内存树要 {tree} 次。",
            ),
            proof=Proof(
                program(SHUFFLES.format(warps=warps), f"sum<<<1, {threads}>>>(x, y);"),
                shuffles,
                lambda run: run.executed("shfl") - 5 * (warps - 1),
            ),
            parameters={"threads": threads, "kind": "shuffle"},
        )
    return ask_number(
        rng,
        text(
            f"A block of {threads} threads sums {threads} values in shared memory by a tree that halves the number of active "
            "threads in every step, with one __syncthreads() after each step. How many barriers are that?",
            f"{threads} 个线程在共享内存中以树形对 {threads} 个值求和，每步活跃线程减半，每步之后一次 __syncthreads()。共几次？",
        ),
        tree,
        text("barriers", "次"),
        [
            Wrong(threads - 1, text("That is the number of additions.", "那是加法次数。")),
            Wrong(threads // 2, text("Each step halves the number of values.", "每一步把值的个数减半。")),
            Wrong(tree + 1, text("The last step leaves one value.", "最后一步已只剩一个值。")),
            Wrong(5, text("Five steps reduce 32 values.", "五步只能归约 32 个值。")),
            Wrong(warps, text("The number of warps does not matter for the tree.", "与 warp 数无关。")),
        ],
        text(
            f"log2({threads}) = {tree} steps. With shuffles inside warps one barrier is left.",
            f"log2({threads}) = {tree} 步。warp 内改用 shuffle 后只剩一次屏障。",
        ),
        proof=Proof(
            program(TREE.format(threads=threads), f"sum<<<1, {threads}>>>(x, y);"),
            tree,
            lambda run: run.executed("bar") // warps - 1,
        ),
        parameters={"threads": threads, "kind": "tree"},
    )
