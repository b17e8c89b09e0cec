from trainer.bank.quiz import Proof
from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.proof import program

PROGRAM = """\
using T = {type};

__global__ void one(const float* x, float* y, int k) {{
    int i = threadIdx.x;
    T* tensors = (T*)y;
    T v = k == 0 ? ((const T*)x)[i] : tensors[256 * k + i];
    if (k < {extra})
        v += ((const T*)x)[256 * (k + 1) + i];
    tensors[256 * (k + 1) + i] = v + T(1);
}}

__global__ void fused(const float* x, float* y) {{
    int i = threadIdx.x;
    T v = ((const T*)x)[i];
    for (int k = 0; k < {operations}; ++k) {{
        if (k < {extra})
            v += ((const T*)x)[256 * (k + 1) + i];
        v += T(1);
    }}
    ((T*)y)[i] = v;
}}
"""


def draw(rng):
    operations = rng.choice([2, 3, 4, 5])
    extra = rng.randrange(0, operations)
    size, dtype = rng.choice([(4, "fp32"), (2, "bf16")])
    apart = (2 * operations + extra) * size
    fused = (2 + extra) * size
    return ask_number(
        rng,
        text(
            f"A chain of {operations} elementwise kernels on {dtype} tensors: each reads the result of the one before "
            f"and writes its own"
            + (f"; {extra} of them also read{'s' * (extra == 1)} another tensor of the same size" if extra else "")
            + ". Everything is larger than the caches. How much less DRAM traffic does one fused kernel cause?",
            f"{operations} 个逐元素核函数依次处理 {dtype} 张量：每个读取前一个的结果并写出自己的结果"
            + (f"；其中 {extra} 个还要读另一个同样大小的张量" if extra else "")
            + "。数据远大于缓存。融合成一个核函数后，显存流量减少到几分之一（多少倍）？",
        ),
        apart / fused,
        text("x", "x"),
        [
            Wrong(operations, text("That would need a fused kernel without any reads of its own, or chains that only "
                                   "keep one of the tensors.", "只有在没有额外输入时才等于核函数个数。")),
            Wrong(2 * operations / 2 if extra else operations * 2, text(
                "A kernel reads and writes; the fused one still has to do both once.", "融合后仍需读写各一次。")),
            Wrong(operations + extra, text("The other tensors still have to be read.", "其他张量仍然要读。")),
            Wrong(1, text("Intermediate results no longer go through memory, which is where the time goes.",
                          "中间结果不再经过内存，而时间正花在那里。")),
            Wrong((operations + 1) / 2, text("Each intermediate result costs a write and a read.",
                                             "每个中间结果要一次写和一次读。")),
            Wrong((2 * operations + extra) / (2 + operations), text("Only inputs and the last output remain.",
                                                                    "只剩输入和最后的输出。")),
        ],
        text(
            f"Apart: {operations} reads and writes" + (f" and {extra} more reads" if extra else "")
            + f", {apart} bytes an element. Fused: {2 + extra} accesses, {fused} bytes. {apart} / {fused} = "
            f"{apart / fused:.3g}.",
            f"分开：{operations} 次读写" + (f"加 {extra} 次额外读取" if extra else "")
            + f"，每元素 {apart} 字节。融合：{2 + extra} 次访问，{fused} 字节。{apart} / {fused} = {apart / fused:.3g}。",
        ),
        relative=0.02,
        proof=Proof(
            program(
                PROGRAM.format(type={4: "float", 2: "unsigned short"}[size], operations=operations, extra=extra),
                f"for (int k = 0; k < {operations}; ++k) one<<<1, 256>>>(x, y, k); fused<<<1, 256>>>(x, y);",
            ),
            apart / fused,
            lambda run: run.moved(kernel="one") / run.moved(kernel="fused"),
        ),
        parameters={"operations": operations, "extra": extra, "bytes": size},
    )
