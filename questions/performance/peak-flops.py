from trainer.quiz.build import Wrong, ask_number, text
from trainer.sim.devices import MODELS

LANES = {"V100": 64, "T4": 64, "A100": 64, "RTX 3090": 128, "RTX 4090": 128, "L40S": 128, "H100": 128, "H200": 128}
"""fp32 lanes of a multiprocessor: CUDA Programming Guide, "Arithmetic Instructions"."""


def draw(rng):
    gpu = MODELS[rng.choice(list(LANES))]
    lanes = LANES[gpu.name]
    peak = gpu.multiprocessors * lanes * 2 * gpu.boost_mhz / 1e6
    return ask_number(
        rng,
        text(
            f"An NVIDIA {gpu.name} has {gpu.multiprocessors} multiprocessors with {lanes} fp32 lanes each and runs at "
            f"{gpu.boost_mhz} MHz. What is its fp32 peak?",
            f"NVIDIA {gpu.name} 有 {gpu.multiprocessors} 个 SM，每个 {lanes} 个 fp32 通道，频率 {gpu.boost_mhz} MHz。"
            "fp32 峰值是多少？",
        ),
        peak,
        text("TFLOP/s", "TFLOP/s"),
        [
            Wrong(peak / 2, text("A multiply-add counts as two operations.", "一次乘加计为两次运算。")),
            Wrong(2 * peak, text("A lane finishes one multiply-add a clock: two operations, not four.",
                                 "每通道每周期一次乘加：两次运算，不是四次。")),
            Wrong(gpu.tensor_fp16_tflops, text("That is the tensor cores' fp16 figure.", "那是 Tensor Core 的 fp16 峰值。")),
            Wrong(gpu.multiprocessors * 32 * 2 * gpu.boost_mhz / 1e6, text(
                "A multiprocessor has four schedulers; it does not issue one warp a clock.",
                "一个 SM 有四个调度器，并非每周期只执行一个 warp。")),
        ],
        text(
            f"{gpu.multiprocessors} · {lanes} · 2 · {gpu.boost_mhz / 1e3:.4g} GHz = {peak:.4g} TFLOP/s.",
            f"{gpu.multiprocessors} · {lanes} · 2 · {gpu.boost_mhz / 1e3:.4g} GHz = {peak:.4g} TFLOP/s。",
        ),
        gpu=gpu.name,
        relative=0.02,
        parameters={"lanes": lanes},
    )
