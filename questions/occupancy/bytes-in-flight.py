from trainer.quiz.build import Wrong, ask_number, text
from trainer.sim.devices import MODELS


def draw(rng):
    gpu = MODELS[rng.choice(["V100", "A100", "H100", "H200", "RTX 4090"])]
    latency = rng.choice([400, 500, 600, 700, 800])
    total = gpu.dram_gbps * latency
    each = total / gpu.multiprocessors / 1024
    return ask_number(
        rng,
        text(
            f"DRAM of an NVIDIA {gpu.name} delivers {gpu.dram_gbps:,} GB/s and answers after {latency} ns. How many KiB "
            f"must each of its {gpu.multiprocessors} multiprocessors keep in flight to reach that bandwidth?",
            f"NVIDIA {gpu.name} 的显存带宽为 {gpu.dram_gbps:,} GB/s，延迟 {latency} ns。要达到该带宽，"
            f"{gpu.multiprocessors} 个 SM 各需保持多少 KiB 在途？",
        ),
        each,
        text("KiB", "KiB"),
        [
            Wrong(total / 1024, text("That is for the whole chip; divide by its multiprocessors.",
                                     "那是整个芯片的量，还要除以 SM 数。")),
            Wrong(each / 2, text("Little's law has no factor one half: bytes in flight = bandwidth · latency.",
                                 "利特尔定律没有二分之一：在途字节 = 带宽 · 延迟。")),
            Wrong(each * 8, text("GB/s are bytes already, not bits.", "GB/s 已是字节，不是比特。")),
            Wrong(gpu.dram_gbps / gpu.multiprocessors, text("That is the bandwidth a multiprocessor gets, in GB/s.",
                                                            "那是每个 SM 分到的带宽（GB/s）。")),
        ],
        text(
            f"{gpu.dram_gbps:,} GB/s · {latency} ns = {total / 1e6:.3g} MB in flight, {each:.3g} KiB a multiprocessor, "
            f"{each * 1024 / gpu.max_threads_per_multiprocessor:.3g} bytes for each of "
            f"{gpu.max_threads_per_multiprocessor} threads. At a quarter of that occupancy every thread needs four times "
            "as much: wider or more independent loads.",
            f"{gpu.dram_gbps:,} GB/s · {latency} ns = {total / 1e6:.3g} MB 在途，每个 SM {each:.3g} KiB，"
            f"{gpu.max_threads_per_multiprocessor} 个线程各 {each * 1024 / gpu.max_threads_per_multiprocessor:.3g} 字节。"
            "占用率只有四分之一时，每线程需要四倍：更宽或更多的独立读取。",
        ),
        gpu=gpu.name,
        relative=0.03,
        parameters={"latency_ns": latency},
    )
