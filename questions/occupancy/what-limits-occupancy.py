from trainer.bank.quiz import Proof
from trainer.quiz.build import ask_choice, text
from trainer.quiz.proof import occupying
from trainer.sim.devices import MODELS
from trainer.sim.occupancy import blocks_by_limit

NAMES = {
    "threads": text("the number of threads", "线程数"),
    "blocks": text("the number of blocks", "线程块数"),
    "registers": text("registers", "寄存器"),
    "shared memory": text("shared memory", "共享内存"),
}


def draw(rng):
    wanted = rng.choice(list(NAMES))
    while True:
        gpu = MODELS[rng.choice(["A100", "RTX 3090", "RTX 4090", "H100", "H200"])]
        threads = rng.choice([32, 64, 128, 256, 384, 512, 1024])
        registers = rng.choice([24, 32, 40, 48, 64, 80, 96, 128])
        kib = rng.choice([0, 0, 2, 4, 8, 16, 24, 32, 48])
        fits = blocks_by_limit(gpu, threads, registers, kib * 1024)
        least = min(fits.values())
        if least > 0 and [n for n, blocks in fits.items() if blocks == least] == [wanted]:
            break
    return ask_choice(
        text(
            f"{threads} threads a block, {registers} registers a thread, {kib} KiB of shared memory a block, on an "
            f"NVIDIA {gpu.name} ({gpu.max_threads_per_multiprocessor} threads, {gpu.max_blocks_per_multiprocessor} "
            f"blocks, 65,536 registers, {gpu.shared_bytes_per_multiprocessor // 1024} KiB of shared memory a "
            "multiprocessor). What keeps another block from becoming resident?",
            f"每块 {threads} 线程，每线程 {registers} 个寄存器，每块 {kib} KiB 共享内存，运行于 NVIDIA {gpu.name}"
            f"（每个 SM：{gpu.max_threads_per_multiprocessor} 线程、{gpu.max_blocks_per_multiprocessor} 块、"
            f"65,536 寄存器、{gpu.shared_bytes_per_multiprocessor // 1024} KiB 共享内存）。是什么阻止再驻留一块？",
        ),
        NAMES[wanted],
        [
            (NAMES[name], text(f"It would allow {fits[name]} blocks; another limit stops at {least}.",
                               f"它允许 {fits[name]} 块；另一限制在 {least} 块就到顶了。"))
            for name in NAMES if name != wanted
        ],
        text(
            "; ".join(f"{name}: {blocks} blocks" for name, blocks in fits.items()) + f". The least is {least}.",
            "；".join(f"{NAMES[name]['zh']}：{blocks} 块" for name, blocks in fits.items()) + f"。最小者为 {least}。",
        ),
        gpu=gpu.name,
        proof=Proof(
            occupying(threads, registers, kib * 1024),
            list(NAMES).index(wanted),
            lambda run: list(NAMES).index(run.occupancy(gpu).limiter),
        ),
        parameters={"threads": threads, "registers": registers, "shared_kib": kib},
    )
