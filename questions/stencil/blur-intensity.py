from trainer.quiz.build import Wrong, ask_number, text
from trainer.sim.devices import MODELS


def draw(rng):
    gpu = MODELS[rng.choice(["A100", "H200", "RTX 4090"])]
    width = rng.choice([3, 5, 7, 9, 11, 15])
    size, dtype = rng.choice([(4, "float"), (4, "float"), (1, "byte")])
    separable = rng.random() < 0.35
    taps = 2 * width if separable else width * width
    intensity = 2 * taps / (2 * size)
    ridge = gpu.fp32_tflops * 1e3 / gpu.dram_gbps
    kind = text("separable (one row filter, one column filter, fused)", "可分离（行滤波与列滤波融合）") if separable else text("direct", "直接")
    return ask_number(
        rng,
        text(
            f"A {kind['en']} {width} × {width} blur in fp32 arithmetic over {dtype} pixels: each pixel is read once from DRAM "
            "and written once. How many FLOP does it do for each byte of DRAM traffic?",
            f"{kind['zh']} {width} × {width} 模糊，fp32 运算，像素类型 {dtype}：每个像素从显存读一次、写一次。每字节显存流量做多少次运算？",
        ),
        intensity,
        text("FLOP/byte", "FLOP/字节"),
        [
            Wrong(2 * intensity, text("Every pixel is read and written.", "每个像素既读又写。")),
            Wrong(intensity / 2, text("A multiply-add counts as two operations.", "一次乘加计为两次运算。")),
            Wrong(2 / (2 * size), text("Every result takes a multiply-add for each tap.", "每个结果对每个抽头都要一次乘加。")),
            Wrong(intensity / 4 if size == 1 else intensity * 4, text(f"A {dtype} pixel takes {size} byte{'s' * (size > 1)}.",
                                                                     f"{dtype} 像素占 {size} 字节。")),
            Wrong(ridge, text("That is the ridge point of the GPU.", "那是 GPU 的脊点。")),
        ],
        text(
            f"2 · {taps} FLOP for {2 * size} bytes: {intensity:.4g} FLOP/byte. The fp32 ridge of an NVIDIA {gpu.name} is at "
            f"{ridge:.3g}, so the blur is {'compute' if intensity > ridge else 'memory'}-bound: it depends on width and type.",
            f"2 · {taps} 次运算对 {2 * size} 字节：{intensity:.4g} FLOP/字节。NVIDIA {gpu.name} 的 fp32 脊点为 {ridge:.3g}，"
            f"因此受{'计算' if intensity > ridge else '内存'}限制：取决于宽度与类型。",
        ),
        gpu=gpu.name,
        relative=0.02,
        parameters={"width": width, "bytes": size, "separable": int(separable)},
    )
