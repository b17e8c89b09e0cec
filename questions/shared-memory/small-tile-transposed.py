from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    edge = rng.choice([8, 16, 16])
    padding = rng.choice([0, 1, 2, 4])
    pitch = edge + padding
    transposed = rng.random() < 0.65
    shown = "tile[threadIdx.x][threadIdx.y]" if transposed else "tile[threadIdx.y][threadIdx.x]"
    index = f"tx * {pitch} + ty" if transposed else f"ty * {pitch} + tx"
    request = Request("shared", "float", index, block=(edge, 32 // edge))
    return ask_number(
        rng,
        text(
            f"A block of `dim3({edge}, {edge})` threads:\n\n    __shared__ float tile[{edge}][{pitch}];\n"
            f"    float v = {shown};\n\nHow many wavefronts does this load take for the first warp?",
            f"线程块为 `dim3({edge}, {edge})`：\n\n    __shared__ float tile[{edge}][{pitch}];\n"
            f"    float v = {shown};\n\n第一个 warp 的这次读取需要多少次 wavefront？",
        ),
        request.cost,
        text("wavefronts", "次"),
        [
            Wrong(1, text("One extra column frees every bank only for tiles 32 wide. Here a warp covers several "
                          "values of threadIdx.y, and those meet.",
                          "“加一列就无冲突”只对 32 宽的分块成立。这里一个 warp 覆盖多个 threadIdx.y，彼此相撞。")),
            Wrong(edge, text("Not all lanes with the same threadIdx.y meet in one bank.",
                             "threadIdx.y 相同的线程并不都落在同一个存储体。")),
            Wrong(edge // 2, text("Work out the bank of each lane: threadIdx.x varies first.",
                                  "逐个计算线程的存储体：threadIdx.x 先变化。")),
            Wrong(2, text("Work out the bank of each lane: threadIdx.x varies first.",
                          "逐个计算线程的存储体：threadIdx.x 先变化。")),
            Wrong(32, text("The lanes would all have to be multiples of 32 words apart.",
                           "那需要所有线程的间隔都是 32 字的倍数。")),
        ],
        text(
            f"A warp is threadIdx.x = 0..{edge - 1} for {32 // edge} values of threadIdx.y. The word is "
            f"{'threadIdx.x' if transposed else 'threadIdx.y'} · {pitch} + "
            f"{'threadIdx.y' if transposed else 'threadIdx.x'}; the busiest bank serves {request.cost} different "
            f"word{'s' * (request.cost > 1)}.",
            f"一个 warp 是 threadIdx.x = 0..{edge - 1}、{32 // edge} 个 threadIdx.y。字下标为 "
            f"{'threadIdx.x' if transposed else 'threadIdx.y'} · {pitch} + "
            f"{'threadIdx.y' if transposed else 'threadIdx.x'}；最忙的存储体要提供 {request.cost} 个不同的字。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"edge": edge, "padding": padding, "transposed": int(transposed)},
    )
