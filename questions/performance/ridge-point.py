from trainer.quiz.build import Wrong, ask_number, text
from trainer.sim.devices import MODELS


def draw(rng):
    gpu = MODELS[rng.choice(list(MODELS))]
    tensor = rng.random() < 0.5
    peak = gpu.tensor_fp16_tflops if tensor else gpu.fp32_tflops
    ridge = peak * 1e3 / gpu.dram_gbps
    pipe = text("dense fp16 on tensor cores", "Tensor Core 稠密 fp16") if tensor else text("fp32 on CUDA cores", "CUDA Core 的 fp32")
    return ask_number(
        rng,
        text(
            f"An NVIDIA {gpu.name} does {peak:g} TFLOP/s ({pipe['en']}) and moves {gpu.dram_gbps:,} GB/s. From which "
            "arithmetic intensity on can a kernel be compute-bound?",
            f"NVIDIA {gpu.name} 的峰值为 {peak:g} TFLOP/s（{pipe['zh']}），带宽 {gpu.dram_gbps:,} GB/s。算术强度达到多少时，"
            "核函数才可能受计算限制？",
        ),
        ridge,
        text("FLOP/byte", "FLOP/字节"),
        [
            Wrong(gpu.dram_gbps / peak / 1e3, text("Upside down: peak divided by bandwidth, not the reverse.",
                                                   "颠倒了：应是峰值除以带宽。")),
            Wrong(ridge * 4, text("That is for each float; the intensity is for each byte.",
                                  "那是按 float 计；算术强度按字节计。")),
            Wrong(ridge / 2, text("Peak figures count a multiply-add as two operations already.",
                                  "峰值已把一次乘加计为两次运算。")),
            Wrong(peak, text("That is the roof itself, in TFLOP/s.", "那是屋顶本身，单位 TFLOP/s。")),
            Wrong(ridge * 2, text("Sparse peak figures are twice the dense ones and do not count here.",
                                  "稀疏峰值是稠密的两倍，这里不适用。")),
        ],
        text(
            f"{peak:g} · 10^12 / ({gpu.dram_gbps:g} · 10^9) = {ridge:.3g} FLOP/byte. This ratio belongs to the machine "
            "(its balance, or ridge point); arithmetic intensity belongs to the kernel.",
            f"{peak:g} · 10^12 / ({gpu.dram_gbps:g} · 10^9) = {ridge:.3g} FLOP/字节。这个比值属于机器（机器平衡点）；"
            "算术强度属于核函数。",
        ),
        gpu=gpu.name,
        relative=0.03,
        parameters={"tensor": int(tensor)},
    )
