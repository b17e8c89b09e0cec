from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import occupying
from trainer.sim.devices import MODELS
from trainer.sim.occupancy import occupancy


def draw(rng):
    while True:
        gpu = MODELS[rng.choice(["V100", "A100", "H200", "RTX 4090"])]
        threads = rng.choice([128, 256, 384, 512, 1024])
        registers = rng.choice([32, 40, 64, 96, 128])
        kib = rng.choice([0, 0, 16, 32, 48])
        blocks = occupancy(gpu, threads, registers, kib * 1024).blocks
        if blocks > 0:
            break
    by_threads = gpu.max_threads_per_multiprocessor // threads
    return ask_number(
        rng,
        text(
            f"A kernel with `grid.sync()` is launched cooperatively on an NVIDIA {gpu.name} ({gpu.multiprocessors} "
            f"multiprocessors, {gpu.max_threads_per_multiprocessor} threads, 65,536 registers and "
            f"{gpu.shared_bytes_per_multiprocessor // 1024} KiB of shared memory each): {threads} threads a block, "
            f"{registers} registers a thread, {kib} KiB of shared memory a block. What is the largest grid?",
            f"一个含 `grid.sync()` 的核函数在 NVIDIA {gpu.name} 上协作启动（{gpu.multiprocessors} 个 SM，每个 "
            f"{gpu.max_threads_per_multiprocessor} 线程、65,536 寄存器、{gpu.shared_bytes_per_multiprocessor // 1024} KiB "
            f"共享内存）：每块 {threads} 线程，每线程 {registers} 寄存器，每块 {kib} KiB 共享内存。网格最大多少块？",
        ),
        blocks * gpu.multiprocessors,
        text("blocks", "块"),
        [
            Wrong(gpu.multiprocessors, text("More than one block fits on a multiprocessor here.",
                                            "这里每个 SM 可驻留多于一块。")),
            Wrong(by_threads * gpu.multiprocessors, text("Threads are not what runs out first.",
                                                         "先耗尽的不是线程数。")),
            Wrong(gpu.max_blocks_per_multiprocessor * gpu.multiprocessors, text(
                "The limit on blocks is not reached: other resources run out before.",
                "达不到块数上限，其他资源先耗尽。")),
            Wrong(65535, text("That limits grids in y and z; waiting blocks that are not resident would never run.",
                              "那是网格 y、z 维的限制；未驻留的块会让其他块永远等待。")),
            Wrong((blocks + 1) * gpu.multiprocessors, text("One block more does not fit on a multiprocessor.",
                                                           "每个 SM 放不下再多一块。")),
        ],
        text(
            f"All blocks have to be resident at once: {blocks} fit{'s' * (blocks == 1)} on a multiprocessor, {gpu.multiprocessors} "
            f"multiprocessors: {blocks * gpu.multiprocessors}.",
            f"所有块必须同时驻留：每个 SM {blocks} 块，共 {gpu.multiprocessors} 个 SM："
            f"{blocks * gpu.multiprocessors} 块。",
        ),
        gpu=gpu.name,
        proof=Proof(
            occupying(threads, registers, kib * 1024),
            blocks * gpu.multiprocessors,
            lambda run: run.occupancy(gpu).blocks * gpu.multiprocessors,
        ),
        parameters={"threads": threads, "registers": registers, "shared_kib": kib},
    )
