from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import occupying
from trainer.sim.devices import MODELS
from trainer.sim.occupancy import blocks_by_limit, occupancy

GPUS = ("V100", "A100", "RTX 3090", "RTX 4090", "L40S", "H100", "H200")


def draw(rng):
    while True:
        gpu = MODELS[rng.choice(GPUS)]
        threads = rng.choice([64, 96, 128, 192, 256, 320, 384, 512, 768, 1024])
        registers = rng.choice([24, 32, 37, 40, 48, 64, 65, 80, 96, 100, 128, 168])
        kib = rng.choice([0, 0, 0, 8, 16, 24, 32, 40, 48])
        result = occupancy(gpu, threads, registers, kib * 1024)
        if 0 < result.fraction < 1:
            break
    most = gpu.max_threads_per_multiprocessor // 32
    warps = threads // 32
    fits = blocks_by_limit(gpu, threads, registers, kib * 1024)
    percent = 100 * result.fraction

    def share(blocks):
        return min(100, 100 * blocks * warps / most)

    unrounded = min(100, 100 * gpu.registers_per_multiprocessor / (registers * 32 * most))
    return ask_number(
        rng,
        text(
            f"A kernel for an NVIDIA {gpu.name} uses {threads} threads a block, {registers} registers a thread and "
            f"{kib} KiB of shared memory a block. The multiprocessor holds {most} warps, "
            f"{gpu.max_blocks_per_multiprocessor} blocks, 65,536 registers and "
            f"{gpu.shared_bytes_per_multiprocessor // 1024} KiB of shared memory. What is the theoretical occupancy?",
            f"一个核函数在 NVIDIA {gpu.name} 上运行：每块 {threads} 线程，每线程 {registers} 个寄存器，每块 {kib} KiB "
            f"共享内存。每个 SM 最多 {most} 个 warp、{gpu.max_blocks_per_multiprocessor} 个线程块、65,536 个寄存器、"
            f"{gpu.shared_bytes_per_multiprocessor // 1024} KiB 共享内存。理论占用率是多少？",
        ),
        percent,
        text("%", "%"),
        [
            Wrong(100, text("Something else than the number of warps runs out first.", "先耗尽的不是 warp 数。")),
            Wrong(share(fits["threads"]), text("That looks at threads only.", "这只考虑了线程数。")),
            Wrong(share(fits["registers"]), text("That looks at registers only.", "这只考虑了寄存器。")),
            Wrong(share(fits["shared memory"]), text("That looks at shared memory only.", "这只考虑了共享内存。")),
            Wrong(unrounded, text("Blocks come whole: a block that does not fit with all its warps is not resident.",
                                  "线程块必须整块驻留，放不下全部 warp 就不驻留。")),
            Wrong(share(result.blocks + 1), text("One block more would not fit: registers are given out in units of "
                                                 "256 a warp, and each block takes 1 KiB of shared memory extra from "
                                                 "Ampere on.",
                                                 "再多一块就放不下：寄存器按每 warp 256 个为单位分配，"
                                                 "Ampere 起每块另占 1 KiB 共享内存。")),
            Wrong(share(result.blocks - 1) if result.blocks > 1 else 0, text("One block more fits.", "还能再放一块。")),
            Wrong(percent / 2, text("Count the blocks again.", "请重新计算块数。")),
        ],
        text(
            f"Blocks that fit: by threads {fits['threads']}, by registers {fits['registers']}, by shared memory "
            f"{fits['shared memory']}, at most {fits['blocks']}: {result.blocks} block{'s' * (result.blocks > 1)} of "
            f"{warps} warps, {result.warps} of {most}. The limit is {result.limiter}.",
            f"按线程数可放 {fits['threads']} 块，按寄存器 {fits['registers']} 块，按共享内存 {fits['shared memory']} 块，"
            f"上限 {fits['blocks']} 块：{result.blocks} 块、每块 {warps} 个 warp，共 {result.warps} / {most}。",
        ),
        gpu=gpu.name,
        proof=Proof(
            occupying(threads, registers, kib * 1024), percent, lambda run: 100 * run.occupancy(gpu).fraction
        ),
        parameters={"threads": threads, "registers": registers, "shared_kib": kib},
    )
