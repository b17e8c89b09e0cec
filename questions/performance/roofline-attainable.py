from trainer.quiz.build import Wrong, ask_number, text
from trainer.sim.devices import MODELS


def draw(rng):
    gpu = MODELS[rng.choice(["V100", "A100", "H100", "H200", "RTX 4090"])]
    tensor = rng.random() < 0.5
    peak = gpu.tensor_fp16_tflops if tensor else gpu.fp32_tflops
    intensity = rng.choice([0.083, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 512])
    memory = intensity * gpu.dram_gbps / 1e3
    attainable = min(peak, memory)
    unit = text("TFLOP/s", "TFLOP/s")
    pipe = text("tensor cores, dense fp16", "Tensor Core，稠密 fp16") if tensor else text("CUDA cores, fp32", "CUDA Core，fp32")
    return ask_number(
        rng,
        text(
            f"A kernel does {intensity} FLOP for every byte of DRAM traffic, on an NVIDIA {gpu.name}: "
            f"{gpu.dram_gbps:,} GB/s, {peak:g} TFLOP/s ({pipe['en']}). What is the most that the roofline allows?",
            f"一个核函数每字节显存流量做 {intensity} 次浮点运算，运行于 NVIDIA {gpu.name}：{gpu.dram_gbps:,} GB/s，"
            f"{peak:g} TFLOP/s（{pipe['zh']}）。屋顶线允许的最高性能是多少？",
        ),
        attainable,
        unit,
        [
            Wrong(peak, text("That is the flat roof; this kernel is under the slope: memory stops it first.",
                             "那是平顶；该核函数在斜坡之下，先受内存限制。")),
            Wrong(memory, text("That is more than the arithmetic units can do: the flat roof cuts it off.",
                               "这超过了运算单元的能力，被平顶截断。")),
            Wrong(gpu.dram_gbps / 1e3 / intensity, text("Bandwidth is multiplied by the intensity, not divided.",
                                                        "应是带宽乘以算术强度，而不是除。")),
            Wrong(attainable / 2, text("A read and a write are both in the bytes already.", "读写都已计入字节。")),
            Wrong(memory * 4, text("The intensity is for a byte, not for a float.", "算术强度按字节计，不是按 float 计。")),
        ],
        text(
            f"min({peak:g}, {intensity} · {gpu.dram_gbps / 1e3:g}) = {attainable:.4g} TFLOP/s. The ridge lies at "
            f"{peak * 1e3 / gpu.dram_gbps:.3g} FLOP/byte, so this kernel is "
            f"{'compute' if memory > peak else 'memory'}-bound.",
            f"min({peak:g}, {intensity} · {gpu.dram_gbps / 1e3:g}) = {attainable:.4g} TFLOP/s。脊点在 "
            f"{peak * 1e3 / gpu.dram_gbps:.3g} FLOP/字节，因此受{'计算' if memory > peak else '内存'}限制。",
        ),
        gpu=gpu.name,
        relative=0.03,
        parameters={"intensity": str(intensity), "tensor": int(tensor)},
    )
