from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.special import counted


def draw(rng):
    bins = rng.choice([1, 2, 4, 8, 16, 32])
    spread = rng.choice([1, 1, 32])
    modulo = f"value % {bins}" if bins > 1 else "value / 32"  # value % 1 is a constant to the compiler
    shown = modulo if spread == 1 else f"({modulo}) * {spread}"
    sample = counted(shown)
    cost = sample.cost
    return ask_number(
        rng,
        text(
            f"A warp counts into shared memory: `atomicAdd(&h[{shown}], 1);` with `unsigned h[...]`. The 32 values "
            f"happen to be 0, 1, ... 31, and the compiler does not know. How many wavefronts does the atomic take?",
            f"一个 warp 在共享内存中计数：`atomicAdd(&h[{shown}], 1);`，h 为 `unsigned`。32 个 value 恰为 0、1……31，"
            "编译器并不知道。这次原子操作需要多少次 wavefront？",
        ),
        cost,
        text("wavefronts", "次"),
        [
            Wrong(1, text("Unlike loads, atomics on the same word are not merged: each lane has its turn.",
                          "与读取不同，同一个字上的原子操作不会合并：每个线程各占一轮。")),
            Wrong(bins, text("The number of bins is how many lanes can go at once, if they lie in different banks.",
                             "桶数是可同时进行的线程数（若在不同存储体）。")),
            Wrong(32 // bins, text("The bins all lie in the same bank here: different words wait, too.",
                                   "这里所有桶在同一存储体：不同的字也要排队。")),
            Wrong(32, text("Lanes that go to different banks proceed together.", "落在不同存储体的线程同时进行。")),
            Wrong(2 * cost, text("A 32-bit integer add is one native operation, not a read and a write apart.",
                                 "32 位整数加法是一次原生操作，不是读写两步。")),
        ],
        text(
            f"{32 // bins} lane{'s' * (bins < 32)} add to each of {bins} bin{'s' * (bins > 1)}, "
            + ("all in one bank" if spread == 32 else "in different banks")
            + f": as many wavefronts as lanes share the busiest bank, {cost}. Copies of the histogram for each warp "
            "or lane spread the work.",
            f"{bins} 个桶各有 {32 // bins} 个线程累加，" + ("都在同一存储体" if spread == 32 else "位于不同存储体")
            + f"：次数等于最忙存储体上的线程数 {cost}。为每个 warp 或线程设直方图副本可分散冲突。",
        ),
        sample=sample,
        parameters={"bins": bins, "spread": spread},
    )
