import math

from trainer.quiz.build import Wrong, ask_number, text


def draw(rng):
    latency = rng.choice([4, 20, 30, 200, 400, 500, 600, 800])
    independent = rng.choice([1, 2, 4, 8])
    busy = 1 if latency == 4 else rng.choice([2, 4, 10, 20, 40])
    needed = max(1, math.ceil(latency / (independent * busy)))
    return ask_number(
        rng,
        text(
            f"Each warp issues {independent} independent instruction{'s' * (independent > 1)}, each of which takes "
            f"{busy} issue cycle{'s' * (busy > 1)} of its scheduler with what belongs to it, and then waits until "
            f"{latency} cycles have passed since the first. How many warps keep one scheduler busy?",
            f"每个 warp 发射 {independent} 条独立指令，每条连同配套指令占用调度器 {busy} 个周期，然后等到距第一条 {latency} 个"
            "周期。一个调度器需要多少个 warp 才能一直忙碌？",
        ),
        needed,
        text("warps", "个 warp"),
        [
            Wrong(latency, text("Each warp contributes more than one cycle of work.", "每个 warp 不止贡献一个周期的工作。")),
            Wrong(math.ceil(latency / busy), text("Independent instructions of one warp overlap, too.",
                                                  "同一 warp 的独立指令也会重叠。")),
            Wrong(math.ceil(latency / independent), text("The other instructions keep the scheduler busy, too.",
                                                         "配套指令也占用调度器。")),
            Wrong(4 * needed, text("That is for the four schedulers of a multiprocessor together.",
                                   "那是一个 SM 四个调度器合计的数目。")),
            Wrong(16, text("16 is how many warps a scheduler can hold, not how many it needs.",
                           "16 是一个调度器能容纳的 warp 数，不是所需数。")),
            Wrong(2 * needed, text("One warp's wait is filled by the others: latency / work of a warp.",
                                   "一个 warp 的等待由其他 warp 填满：延迟 / 每 warp 的工作量。")),
        ],
        text(
            f"A warp gives {independent * busy} issue cycles for every {latency} cycles: "
            f"ceil({latency} / {independent * busy}) = {needed}. "
            + ("A scheduler holds 16 warps at most, so this cannot be reached without more independent or wider loads."
               if needed > 16 else "Fewer warps do with more independent instructions: occupancy is not the only way."),
            f"每个 warp 每 {latency} 个周期提供 {independent * busy} 个发射周期：ceil({latency} / {independent * busy}) = "
            f"{needed}。" + ("一个调度器最多容纳 16 个 warp，只能靠更多独立或更宽的读取。" if needed > 16
                             else "独立指令越多，所需 warp 越少：占用率不是唯一办法。"),
        ),
        parameters={"latency": latency, "independent": independent, "busy": busy},
    )
