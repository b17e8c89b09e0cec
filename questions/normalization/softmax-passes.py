from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program
from trainer.sim.devices import MODELS

METHODS = (
    ("three passes (maximum, sum, result)", "三遍（求最大、求和、写结果）", 3),
    ("an online pass for maximum and sum, then one for the result", "一遍在线求最大与和，再一遍写结果", 2),
    ("one pass with the row kept in registers", "一遍，整行保存在寄存器中", 1),
)

PROGRAM = """\
using T = {type};

__device__ float value(float v) {{ return v; }}
__device__ float value(unsigned short v) {{ return __uint_as_float((unsigned)v << 16); }}

__device__ float total(float v, bool largest) {{
    for (int k = 16; k > 0; k /= 2) {{
        float other = __shfl_xor_sync(0xffffffff, v, k);
        v = largest ? fmaxf(v, other) : v + other;
    }}
    return v;
}}

__global__ void rows(const float* from, float* to, int n) {{
    const T* x = (const T*)from;
    T* y = (T*)to;
    float m = -1e30f, d = 0.0f, kept[16];
    int t = threadIdx.x;
    if ({reads} == 1) {{
        for (int k = 0; k < 16; ++k) m = fmaxf(m, kept[k] = value(x[32 * k + t]));
        m = total(m, true);
        for (int k = 0; k < 16; ++k) d += kept[k] = __expf(kept[k] - m);
    }} else if ({reads} == 2) {{
        for (int i = t; i < n; i += 32) {{
            float v = value(x[i]), next = fmaxf(m, v);
            d = d * __expf(m - next) + __expf(v - next);
            m = next;
        }}
        float own = m;
        m = total(m, true);
        d *= __expf(own - m);
    }} else {{
        for (int i = t; i < n; i += 32) m = fmaxf(m, value(x[i]));
        m = total(m, true);
        for (int i = t; i < n; i += 32) d += __expf(value(x[i]) - m);
    }}
    d = total(d, false);
    if ({reads} == 1)
        for (int k = 0; k < 16; ++k) y[32 * k + t] = T(kept[k] / d);
    else
        for (int i = t; i < n; i += 32) y[i] = T(__expf(value(x[i]) - m) / d);
}}
"""


def draw(rng):
    gpu = MODELS[rng.choice(["A100", "H100", "H200"])]
    name, name_zh, reads = rng.choice(METHODS)
    rows, cols = rng.choice([(8192, 8192), (16384, 8192), (4096, 32768), (65536, 4096)])
    size, dtype = rng.choice([(4, "fp32"), (4, "fp32"), (2, "bf16")])
    each = rows * cols * size / gpu.dram_gbps / 1e3
    least = (reads + 1) * each
    return ask_number(
        rng,
        text(
            f"Softmax over the rows of a {rows} × {cols} matrix in {dtype}, by {name}. Every pass reads the row from DRAM. "
            f"What is the least time on an NVIDIA {gpu.name} at {gpu.dram_gbps:,} GB/s?",
            f"对 {rows} × {cols} 的 {dtype} 矩阵按行做 softmax，方法：{name_zh}。每一遍都从显存读取整行。NVIDIA {gpu.name} 带宽 "
            f"{gpu.dram_gbps:,} GB/s，最短需要多少时间？",
        ),
        least,
        text("us", "us"),
        [
            Wrong(2 * each, text("That is one read and one write: this method reads more often.",
                                 "那是一读一写；该方法读取次数更多。")),
            Wrong(4 * each, text("That is three reads and a write: this method reads less often.",
                                 "那是三读一写；该方法读取次数更少。")),
            Wrong(3 * each, text("That is two reads and a write.", "那是两读一写。")),
            Wrong(reads * each, text("The result is written as well.", "结果也要写回。")),
            Wrong(least * 2, text(f"{dtype} takes {size} bytes an element.", f"{dtype} 每元素 {size} 字节。")),
            Wrong(least / 2, text(f"{dtype} takes {size} bytes an element.", f"{dtype} 每元素 {size} 字节。")),
        ],
        text(
            f"{reads} read{'s' * (reads > 1)} and one write, {(reads + 1) * size} bytes an element, "
            f"{(reads + 1) * rows * cols * size / 1e9:.3g} GB: {least:.4g} us.",
            f"{reads} 读 1 写，每元素 {(reads + 1) * size} 字节，共 {(reads + 1) * rows * cols * size / 1e9:.3g} GB："
            f"{least:.4g} us。",
        ),
        gpu=gpu.name,
        relative=0.03,
        proof=Proof(
            program(PROGRAM.format(type={4: "float", 2: "unsigned short"}[size], reads=reads), "rows<<<1, 32>>>(x, y, n);"),
            least,
            lambda run: run.moved() / 512 * rows * cols / gpu.dram_gbps / 1e3,
            n=512,
        ),
        parameters={"reads": reads, "rows": rows, "cols": cols, "bytes": size},
    )
