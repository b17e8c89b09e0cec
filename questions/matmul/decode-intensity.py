from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program
from trainer.sim.devices import MODELS

PROGRAM = """\
__global__ void layer(const float* x, float* y, int tokens) {{
    int t = threadIdx.x;
    unsigned weights = ((const unsigned*)x)[t]; // this
    for (int token = 0; token < tokens; ++token) {{
        float sum = 0.0f;
        for (int bit = 0; bit < 32; bit += {bits})
            sum += float(weights >> bit & ((1u << {bits}) - 1)) * x[256 * token + t];
        y[256 * token + t] = sum;
    }}
}}
"""


def draw(rng):
    gpu = MODELS[rng.choice(["A100", "H100", "H200"])]
    bits, dtype = rng.choice([(16, "bf16"), (16, "bf16"), (8, "8-bit"), (4, "4-bit")])
    batch = rng.choice([1, 2, 4, 8, 16, 32, 64])
    intensity = 2 * batch * 8 / bits
    ridge = gpu.tensor_fp16_tflops * 1e3 / gpu.dram_gbps
    return ask_number(
        rng,
        text(
            f"A large layer with {dtype} weights multiplies the activations of {batch} token{'s' * (batch > 1)}; next to "
            "the weights everything else is small. How many FLOP does it do for each byte of weights?",
            f"一个大的线性层，权重为 {dtype}，对 {batch} 个 token 的激活做乘法；与权重相比其他数据很小。每字节权重做多少次运算？",
        ),
        intensity,
        text("FLOP/byte", "FLOP/字节"),
        [
            Wrong(intensity / 2, text("A multiply-add counts as two operations.", "一次乘加计为两次运算。")),
            Wrong(2 * intensity, text(f"A {dtype} weight takes {bits / 8:g} byte{'s' * (bits > 8)}.", f"{dtype} 权重占 {bits / 8:g} 字节。")),
            Wrong(ridge, text("That is the ridge point of the GPU.", "那是 GPU 的脊点。")),
            Wrong(2 * intensity / batch, text("Each weight is used once for every token.", "每个权重对每个 token 各用一次。")),
            Wrong(4 * intensity, text(f"A {dtype} weight takes {bits / 8:g} byte{'s' * (bits > 8)}.", f"{dtype} 权重占 {bits / 8:g} 字节。")),
        ],
        text(
            f"Each weight of {bits / 8:g} byte{'s' * (bits > 8)} takes part in {batch} "
            f"multiply-add{'s' * (batch > 1)}: 2 · {batch} / {bits / 8:g} = {intensity:g}. On an NVIDIA {gpu.name} the ridge for dense fp16 is at {ridge:.3g}, so this is "
            f"{'compute' if intensity > ridge else 'memory'}-bound.",
            f"每个 {bits / 8:g} 字节的权重参与 {batch} 次乘加：2 · {batch} / {bits / 8:g} = {intensity:g}。NVIDIA {gpu.name} "
            f"稠密 fp16 的脊点为 {ridge:.3g}，因此受{'计算' if intensity > ridge else '内存'}限制。",
        ),
        gpu=gpu.name,
        relative=0.02,
        proof=Proof(
            program(PROGRAM.format(bits=bits), "layer<<<1, 256>>>(x, y, n);"),
            intensity,
            lambda run: run.flops / run.moved(mark="this"),
            floats=256 * 64,
            n=batch,
        ),
        parameters={"bits": bits, "batch": batch},
    )
