from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    threads = rng.choice([128, 256, 512, 1024])
    steps = threads.bit_length() - 1
    step = 1 << rng.randrange(steps)
    lanes = min(32, threads // (2 * step))
    request = Request("shared", "float", f"{2 * step} * t", lanes=lanes)
    return ask_number(
        rng,
        text(
            f"A block of {threads} threads sums in shared memory with interleaved addresses:\n\n"
            "    for (int k = 1; k < blockDim.x; k *= 2) {\n        int i = 2 * k * threadIdx.x;\n"
            "        if (i < blockDim.x) s[i] += s[i + k];\n        __syncthreads();\n    }\n\n"
            f"How many wavefronts does the load of `s[i]` take for warp 0 in the step k = {step}?",
            f"{threads} 个线程的线程块在共享内存中用交错寻址求和：\n\n"
            "    for (int k = 1; k < blockDim.x; k *= 2) {\n        int i = 2 * k * threadIdx.x;\n"
            "        if (i < blockDim.x) s[i] += s[i + k];\n        __syncthreads();\n    }\n\n"
            f"k = {step} 这一步，warp 0 读取 `s[i]` 需要多少次 wavefront？",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(min(32, 2 * step), text(
                f"Only {lanes} lane{'s' * (lanes > 1)} of the warp {'are' if lanes > 1 else 'is'} still active in this step; fewer lanes meet.",
                f"这一步该 warp 只剩 {lanes} 个活跃线程，相撞的线程更少。")),
            Wrong(32, text("In no step of this loop do 32 active lanes meet in one bank: as the stride grows, lanes "
                           "drop out.", "这个循环从不会有 32 个活跃线程落在同一存储体：步长变大时线程也在减少。")),
            Wrong(1, text("Active lanes are an even number of words apart, so some of them share a bank.",
                          "活跃线程间隔偶数个字，会有线程共用存储体。")),
            Wrong(2, text("The stride doubles with every step.", "步长每一步翻倍。")),
            Wrong(lanes, text("The active lanes do not all fall into one bank.", "活跃线程并不都落在同一存储体。")),
            Wrong(request.cost * 2, text("Check how many lanes pass the test i < blockDim.x.",
                                         "请检查有多少线程满足 i < blockDim.x。")),
        ],
        text(
            f"{lanes} lane{'s' * (lanes > 1)} of warp 0 pass the test, {2 * step} words apart: the busiest bank serves "
            f"{request.cost} word{'s' * (request.cost > 1)}. The conflict grows with the stride and shrinks with the "
            "number of active lanes; sequential addressing has none.",
            f"warp 0 有 {lanes} 个线程通过判断，间隔 {2 * step} 个字：最忙的存储体提供 {request.cost} 个字。"
            "冲突随步长增加、随活跃线程减少；顺序寻址没有冲突。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"threads": threads, "step": step},
    )
