from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    per_thread = rng.choice([4, 8])
    across = 16
    which = rng.choice(["row", "column", "column"])
    wide = rng.random() < 0.4
    ctype = "float4" if wide else "float"
    words = 4 if wide else 1
    if which == "column":
        index = f"(t % {across}) * {per_thread // words}"
        shown = f"Bs[k][(t % {across}) * {per_thread}]"
    else:
        pitch = rng.choice([16, 20, 128])
        wide, ctype, words = False, "float", 1
        index = f"(t / {across}) * {per_thread * pitch}"
        shown = f"As[(t / {across}) * {per_thread}][k]   // As[..][{pitch}]"
    request = Request("shared", ctype, index)
    return ask_number(
        rng,
        text(
            f"A matrix product with {per_thread} × {per_thread} outputs a thread and 16 × 16 threads. k is the same for "
            f"all lanes and 0 here; t is the lane. How many wavefronts does a warp take for this {ctype} load?\n\n"
            f"    {shown}",
            f"矩阵乘法，每线程 {per_thread} × {per_thread} 个输出，16 × 16 个线程。k 对所有线程相同，这里为 0；t 为 warp 内"
            f"线程号。一个 warp 的这次 {ctype} 读取需要多少次 wavefront？\n\n    {shown}",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(1, text("Count different words in the busiest bank: lanes of a row of threads are several words apart.",
                          "请数最忙存储体的不同字数：同一行线程间隔数个字。")),
            Wrong(per_thread, text("Only 16 different places are read; the two halves of the warp share them.",
                                   "只读 16 个不同位置，warp 的两半共用。")),
            Wrong(2, text("Count again which lanes read different words of one bank.", "再数一遍：哪些线程读同一存储体的不同字。")),
            Wrong(32, text("Lanes that read the same word share it.", "读同一个字的线程共用结果。")),
            Wrong(2 * per_thread, text("The other half of the warp reads the same words: that is a broadcast.",
                                       "另一半 warp 读取相同的字：属于广播。")),
            Wrong(4, text("Count again which lanes read different words of one bank.", "再数一遍：哪些线程读同一存储体的不同字。")),
        ],
        text(
            f"The warp reads {len(set(request.elements))} different places: {request.cost} "
            f"wavefront{'s' * (request.cost > 1)}. Splitting the fragment into pieces of four floats, half a tile apart, "
            "and keeping A with k as its first index make these loads free of conflicts.",
            f"该 warp 读取 {len(set(request.elements))} 个不同位置：{request.cost} 次 wavefront。"
            "把片段拆成相隔半个分块的 4 个 float 一组，并让 A 以 k 为第一个下标存放，即可消除冲突。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"per_thread": per_thread, "which": which, "type": ctype},
    )
