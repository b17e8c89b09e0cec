from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import occupying
from trainer.sim.devices import MODELS
from trainer.sim.occupancy import blocks_by_limit


def draw(rng):
    gpu = MODELS[rng.choice(["A100", "RTX 4090", "H200"])]
    threads, blocks = rng.choice(
        [(128, 3), (128, 5), (128, 6), (128, 10), (192, 2), (192, 5), (256, 2), (256, 3), (256, 5), (256, 6),
         (384, 2), (384, 3), (512, 1), (512, 2), (512, 3), (96, 7), (96, 12), (64, 13), (64, 20)]
    )  # fmt: skip
    fitting = [r for r in range(1, 256) if blocks_by_limit(gpu, threads, r, 0)["registers"] >= blocks]
    most = max(fitting)
    plain = 65536 / (threads * blocks)
    return ask_number(
        rng,
        text(
            f"{blocks} block{'s' * (blocks > 1)} of {threads} threads should be resident on each multiprocessor of an "
            f"NVIDIA {gpu.name} (65,536 registers, four register files, given to warps in units of 256). How many "
            "registers may a thread use at most?",
            f"希望 NVIDIA {gpu.name} 的每个 SM 上驻留 {blocks} 个 {threads} 线程的线程块（65,536 个寄存器，分四个寄存器堆，"
            "按 256 个为单位分给 warp）。每线程最多可用多少寄存器？",
        ),
        most,
        text("registers", "个寄存器"),
        [
            Wrong(int(plain), text("That divides evenly; registers go to warps in units of 256, eight a thread.",
                                   "这是平均分配；寄存器按每 warp 256 个（每线程 8 个）为单位分配。")),
            Wrong(255, text("255 is what one thread can address, if few enough warps are resident.",
                            "255 是单线程可寻址的上限，只有驻留 warp 足够少时才可用。")),
            Wrong(most + 8, text("Eight more take another unit of 256 for each warp, and the last block does not fit.",
                                 "再多 8 个，每个 warp 就多一个 256 单位，最后一块放不下。")),
            Wrong(most - 8, text("The next unit still fits.", "再多一个单位仍放得下。")),
            Wrong(65536 // threads if blocks > 1 else 0, text("That leaves everything to one block.",
                                                              "那是只有一块时的分配。")),
            Wrong(most // 2, text("Registers are 32 bits each; there are 65,536 of them, not bytes.",
                                  "寄存器每个 32 位，共 65,536 个，不是字节。")),
        ],
        text(
            f"{blocks} · {threads // 32} = {blocks * threads // 32} warps share 65,536 registers over four files: "
            f"rounded down to units of 256 a warp that is {most * 32:,} a warp, {most} a thread "
            "(never more than 255).",
            f"{blocks} · {threads // 32} = {blocks * threads // 32} 个 warp 共享四个寄存器堆的 65,536 个寄存器："
            f"按每 warp 256 个向下取整，每线程 {most} 个（不超过 255）。",
        ),
        gpu=gpu.name,
        proof=Proof(
            occupying(threads, 255, 0, f"__launch_bounds__({threads}, {blocks})"),
            most,
            lambda run: run.kernels[0].registers,
        ),
        parameters={"threads": threads, "blocks": blocks},
    )
