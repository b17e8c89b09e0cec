from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program
from trainer.sim.devices import MODELS

PROGRAM = """\
using T = {type};

__global__ void direct(const float* x, float* y, int width) {{
    __shared__ float s[32][32];
    int c = threadIdx.x, r = threadIdx.y, i = 32 * r + c;
    s[r][c] = ((const T*)x)[i];
    __syncthreads();
    float sum = 0.0f;
    for (int dr = 0; dr < width; ++dr)
        for (int dc = 0; dc < width; ++dc) sum += 0.01f * s[(r + dr) % 32][(c + dc) % 32];
    ((T*)y)[i] = T(sum);
}}

__global__ void rows_and_columns(const float* x, float* y, int width) {{
    __shared__ float s[32][32], rows[32][32];
    int c = threadIdx.x, r = threadIdx.y, i = 32 * r + c;
    s[r][c] = ((const T*)x)[i];
    __syncthreads();
    float sum = 0.0f;
    for (int d = 0; d < width; ++d) sum += 0.1f * s[r][(c + d) % 32];
    rows[r][c] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int d = 0; d < width; ++d) sum += 0.1f * rows[(r + d) % 32][c];
    ((T*)y)[i] = T(sum);
}}
"""


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
        proof=Proof(
            program(
                PROGRAM.format(type={4: "float", 1: "unsigned char"}[size]),
                f"{'rows_and_columns' if separable else 'direct'}<<<1, dim3(32, 32)>>>(x, y, n);",
            ),
            intensity,
            lambda run: run.flops / run.moved(),
            n=width,
        ),
        parameters={"width": width, "bytes": size, "separable": int(separable)},
    )
