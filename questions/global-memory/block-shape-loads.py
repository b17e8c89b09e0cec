from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    across = rng.choice([1, 2, 4, 8, 16, 32])
    width = rng.choice([256, 512, 1024, 1920])
    swapped = rng.random() < 0.4
    index = f"tx * {width} + ty" if swapped else f"ty * {width} + tx"
    request = Request("global", "float", index, block=(across, 32 // across))
    down = 32 // across
    runs, length = (across, down) if swapped else (down, across)
    shown = f"a[(x0 + threadIdx.x) * {width} + y0 + threadIdx.y]" if swapped else (
        f"a[(y0 + threadIdx.y) * {width} + x0 + threadIdx.x]"
    )
    return ask_number(
        rng,
        text(
            f"A float matrix is stored row after row, {width} floats wide, at a 128-byte boundary. A kernel "
            f"with blocks of `dim3({across}, 32)` threads loads\n\n    float v = {shown};\n\n"
            "where x0 and y0 are multiples of 32. How many 32-byte sectors does the first warp of a block "
            "touch?",
            f"一个按行存储的 float 矩阵，宽 {width}，起始于 128 字节边界。线程块为 `dim3({across}, 32)` 的核函数读取"
            f"\n\n    float v = {shown};\n\n其中 x0、y0 是 32 的倍数。线程块的第一个 warp 涉及多少个 32 字节扇区？",
        ),
        request.cost,
        text("sectors", "个扇区"),
        [
            Wrong(4, text("That would be 32 floats side by side; this warp is spread over several rows.",
                          "那是 32 个 float 相邻的情形；这里的 warp 分布在多行上。")),
            Wrong(32, text("Lanes that are neighbours in memory share sectors: eight floats fit into one.",
                           "内存中相邻的线程共用扇区：一个扇区可放 8 个 float。")),
            Wrong(runs, text("That counts the pieces of the warp; a piece longer than 32 bytes takes several "
                             "sectors.", "这是 warp 被分成的段数；超过 32 字节的一段要占几个扇区。")),
            Wrong(4 * runs, text("That counts a whole 128-byte line for each piece; only touched sectors move.",
                                 "这是每段按整条 128 字节缓存行计算；只有涉及的扇区才会传输。")),
            Wrong(8, text("Count again: floats that lie side by side, eight to a sector.",
                          "再数一遍：相邻的 float，8 个一个扇区。")),
        ],
        text(
            f"A warp takes threads in the order of threadIdx.x first: {across} across, {down} down. In memory "
            f"that is {runs} piece{'s' * (runs > 1)} of {length} float{'s' * (length > 1)} ({4 * length} bytes), "
            f"{max(1, length // 8)} sector{'s' * (length > 8)} each: "
            f"{request.cost} in all, {request.efficiency:.3g} % used. Two-dimensional blocks are fine as long as "
            "a piece fills whole sectors.",
            f"warp 先按 threadIdx.x 排列线程：横 {across}、纵 {down}。在内存中是 {runs} 段，每段 {length} 个 float"
            f"（{4 * length} 字节），各占 {max(1, length // 8)} 个扇区：共 {request.cost} 个，利用率 "
            f"{request.efficiency:.3g}%。只要每段填满整扇区，二维线程块就没有问题。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"across": across, "width": width, "swapped": int(swapped)},
    )
