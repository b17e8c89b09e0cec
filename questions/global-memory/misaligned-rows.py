from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    width = rng.choice([33, 50, 100, 101, 129, 250, 1000, 1001, 1022])
    row = rng.randrange(1, 9)
    request = Request("global", "float", f"{row} * {width} + t")
    start = row * width * 4
    return ask_number(
        rng,
        text(
            f"A float matrix of {width} columns is stored row after row without padding, at a 128-byte "
            f"boundary. A warp loads the first 32 elements of row {row}:\n\n"
            f"    float v = a[{row} * {width} + threadIdx.x];\n\nHow many 32-byte sectors does it touch?",
            f"一个 {width} 列的 float 矩阵按行紧密存储，起始于 128 字节边界。一个 warp 读取第 {row} 行的前 32 个"
            f"元素：\n\n    float v = a[{row} * {width} + threadIdx.x];\n\n涉及多少个 32 字节扇区？",
        ),
        request.cost,
        text("sectors", "个扇区"),
        [
            Wrong(4, text(f"Row {row} starts at byte {start}, which is inside a sector.",
                          f"第 {row} 行始于第 {start} 字节，位于扇区中间。")),
            Wrong(5, text(f"Row {row} starts at byte {start}, a multiple of 32: nothing sticks out.",
                          f"第 {row} 行始于第 {start} 字节，是 32 的倍数：没有多出。")),
            Wrong(8, text("A row that is not aligned costs one more sector, not twice as many.",
                          "未对齐的行只多一个扇区，不会翻倍。")),
            Wrong(32, text("The 32 floats are side by side, so sectors are shared.",
                           "32 个 float 相邻，扇区是共用的。")),
        ],
        text(
            f"Row {row} starts at byte {row} · {width} · 4 = {start}, which is {start % 32} bytes into a sector; "
            f"128 bytes from there touch {request.cost} sectors. A row pitch that is a multiple of 8 floats "
            "avoids the extra one.",
            f"第 {row} 行始于第 {row} · {width} · 4 = {start} 字节，在扇区内偏移 {start % 32} 字节；"
            f"从那里起的 128 字节涉及 {request.cost} 个扇区。行距取 8 个 float 的倍数即可避免多余的扇区。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"width": width, "row": row},
    )
