from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.special import added

HOW = {
    "1": text(
        "Every lane adds the constant 1 and nobody uses the result, which ptxas turns into an instruction that counts",
        "每个线程都加常数 1 且不用返回值，ptxas 会把它变成计数指令",
    ),
    "w": text("The amounts `w` differ from lane to lane", "各线程的加数 `w` 不同"),
}


def draw(rng):
    bins = rng.choice([1, 2, 4, 8, 16, 32])
    spread = rng.choice([1, 1, 32])
    amount = rng.choice(list(HOW))
    modulo = f"value % {bins}" if bins > 1 else "value / 32"  # value % 1 is a constant to the compiler
    shown = modulo if spread == 1 else f"({modulo}) * {spread}"
    sample, other = added(shown, amount), added(shown, "w" if amount == "1" else "1")
    cost = sample.cost
    each = 32 // bins
    merged = text(
        f"{each} lane{'s' * (each > 1)} add to each of {bins} bin{'s' * (bins > 1)}; lanes on one word are merged before "
        "they reach the bank, as for a load. What is left are different words: "
        + (f"{cost} in one bank." if cost > 1 else "never two of them in one bank."),
        f"{bins} 个桶各有 {each} 个线程累加；同一个字上的线程先合并（与读取相同），剩下的是不同的字："
        + (f"同一存储体中有 {cost} 个。" if cost > 1 else "任何存储体中都不超过一个。"),
    )
    queued = text(
        f"{each} lane{'s' * (each > 1)} add to each of {bins} bin{'s' * (bins > 1)}, "
        + ("all in one bank" if spread == 32 else "in different banks")
        + f": as many wavefronts as lanes share the busiest bank, {cost}. Copies of the bins for each warp or lane spread "
        "the work; counting (adding the constant 1, result unused) would merge lanes on one word.",
        f"{bins} 个桶各有 {each} 个线程累加，" + ("都在同一存储体" if spread == 32 else "位于不同存储体")
        + f"：次数等于最忙存储体上的线程数 {cost}。为每个 warp 或线程设副本可分散冲突；若只是计数（加常数 1 且不用返回值），"
        "同一个字上的线程会合并。",
    )
    return ask_number(
        rng,
        text(
            f"A warp adds into shared memory on an H200: `atomicAdd(&h[{shown}], {amount});` with `unsigned h[...]`. The 32 "
            f"values happen to be 0, 1, ... 31, and the compiler does not know. {HOW[amount]['en']}. How many wavefronts "
            "does the atomic take?",
            f"H200 上一个 warp 在共享内存中累加：`atomicAdd(&h[{shown}], {amount});`，h 为 `unsigned`。32 个 value 恰为 "
            f"0、1……31，编译器并不知道。{HOW[amount]['zh']}。这次原子操作需要多少次 wavefront？",
        ),
        cost,
        text("wavefronts", "次"),
        [
            Wrong(other.cost, text(
                "That is the cost of adding amounts that differ. Counting merges the lanes on one word.",
                "那是加数不同时的代价。计数时同一个字上的线程会合并。") if amount == "1" else text(
                "Only counting - the constant 1, result unused - merges lanes on one word. Here each lane has its turn.",
                "只有计数（加常数 1、不用返回值）才合并同一个字上的线程；这里每个线程各占一轮。")),
            Wrong(bins, text("What counts is what meets in one bank, not how many bins there are.",
                             "要看同一存储体上相遇的数目，而不是桶数。")),
            Wrong(each, text("Those are the lanes of one bin: ask what they and the other bins do in a bank.",
                             "那是一个桶上的线程数：要看它们和其他桶在存储体上如何相遇。")),
            Wrong(32, text("Lanes that go to different banks proceed together.", "落在不同存储体的线程同时进行。")
                  if spread == 1 else text("Not all lanes wait: those on one word are merged.",
                                           "并非所有线程都排队：同一个字上的线程会合并。")),
            Wrong(2 * cost, text("A 32-bit integer add is one native operation, not a read and a write apart.",
                                 "32 位整数加法是一次原生操作，不是读写两步。")),
            Wrong(4 * cost, text("The 32 lanes of a word-wide access are served together, not by quarters.",
                                 "单字访问的 32 个线程一起处理，不分成四份。")),
        ],
        merged if amount == "1" else queued,
        gpu="H200",
        sample=sample,
        parameters={"bins": bins, "spread": spread, "amount": amount},
    )
