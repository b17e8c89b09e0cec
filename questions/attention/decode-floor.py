from trainer.quiz.build import Wrong, ask_number, text
from trainer.sim.devices import MODELS


def draw(rng):
    gpu = MODELS[rng.choice(["A100", "H100", "H200", "RTX 4090"])]
    billions = rng.choice([1, 3, 7, 8] + ([13, 14] if gpu.name != "RTX 4090" else []))
    bits, dtype = rng.choice([(16, "fp16"), (8, "int8"), (4, "int4")])
    gigabytes = billions * bits / 8
    least = gigabytes / gpu.dram_gbps * 1e3
    return ask_number(
        rng,
        text(
            f"A dense model with {billions} billion parameters in {dtype} generates one sequence, token by token, on an "
            f"NVIDIA {gpu.name} ({gpu.dram_gbps:,} GB/s). What is the least time for a token, KV cache left aside?",
            f"一个 {billions}B 参数的稠密模型，权重 {dtype}，在 NVIDIA {gpu.name}（{gpu.dram_gbps:,} GB/s）上逐 token 生成单条"
            "序列。不计 KV 缓存，每个 token 最短需要多少时间？",
        ),
        least,
        text("ms", "ms"),
        [
            Wrong(2 * billions / gpu.tensor_fp16_tflops, text("That is the arithmetic; reading the weights takes far longer.",
                                                              "那是运算时间；读取权重要久得多。")),
            Wrong(2 * least, text(f"{dtype} takes {bits / 8:g} byte{'s' * (bits > 8)} a parameter.", f"{dtype} 每参数 {bits / 8:g} 字节。")),
            Wrong(4 * least if bits < 16 else least / 4, text(f"{dtype} takes {bits / 8:g} byte{'s' * (bits > 8)} a parameter.",
                                                             f"{dtype} 每参数 {bits / 8:g} 字节。")),
            Wrong(least / 2, text(f"{dtype} takes {bits / 8:g} byte{'s' * (bits > 8)} a parameter.", f"{dtype} 每参数 {bits / 8:g} 字节。")),
            Wrong(least * 1000, text("GB divided by GB/s gives seconds: check the units.", "GB 除以 GB/s 得秒：请检查单位。")),
        ],
        text(
            f"Every weight is read once for a token: {gigabytes:g} GB / {gpu.dram_gbps:,} GB/s = {least:.3g} ms. More "
            "sequences at a time cost hardly more until the arithmetic catches up.",
            f"每个 token 要读一遍全部权重：{gigabytes:g} GB / {gpu.dram_gbps:,} GB/s = {least:.3g} ms。"
            "同时处理更多序列几乎不增加时间，直到运算成为瓶颈。",
        ),
        gpu=gpu.name,
        relative=0.03,
        parameters={"billions": billions, "bits": bits},
    )
