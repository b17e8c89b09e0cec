from trainer.quiz.build import Wrong, ask_number, text


def draw(rng):
    consumers = rng.choice([2, 2, 3])
    producer = rng.choice([24, 32, 40, 48, 56])
    left = 65536 - 128 * producer
    most = left // (128 * consumers) // 8 * 8
    return ask_number(
        rng,
        text(
            f"One block a multiprocessor on an H200 (65,536 registers): one producer warpgroup with setmaxnreg "
            f"{producer} and {consumers} consumer warpgroups, 128 threads each. What is the most registers that each "
            "consumer thread can be given, in steps of 8?",
            f"H200 每个 SM 一个线程块（65,536 个寄存器）：一个生产者 warpgroup，setmaxnreg 为 {producer}，另有 {consumers} 个"
            "消费者 warpgroup，各 128 线程。每个消费者线程最多可得多少寄存器（以 8 为步长）？",
        ),
        most,
        text("registers", "个寄存器"),
        [
            Wrong(65536 // (128 * (consumers + 1)) // 8 * 8, text(
                "That shares evenly; setmaxnreg lets the producer give registers up.",
                "这是平均分配；setmaxnreg 可让生产者让出寄存器。")),
            Wrong(65536 // (128 * consumers) // 8 * 8 if consumers == 3 else 248, text(
                "The producer keeps some for itself.", "生产者自己也保留一部分。")),
            Wrong(most + 8, text("Add it up: that is more than 65,536.", "加起来超过 65,536。")),
            Wrong(most - 16, text("There is still room.", "仍有富余。")),
            Wrong(128, text("128 is for two blocks of 256 threads without redistribution.",
                            "128 是两个 256 线程块不重新分配时的数目。")),
        ],
        text(
            f"128 · {producer} = {128 * producer:,} for the producer leave {left:,}; divided by {consumers} · 128 threads "
            f"and rounded down to a multiple of 8: {most}. Together {128 * producer + 128 * consumers * most:,}.",
            f"生产者 128 · {producer} = {128 * producer:,}，余 {left:,}；除以 {consumers} · 128 线程并按 8 向下取整：{most}。"
            f"合计 {128 * producer + 128 * consumers * most:,}。",
        ),
        gpu="H200",
        parameters={"consumers": consumers, "producer": producer},
    )
