from trainer.quiz.build import Wrong, ask_number, text
from trainer.quiz.request import Request


def draw(rng):
    group = rng.choice([2, 4, 8, 16])
    pitch = rng.choice([64, 128, 256, 1024])
    per_thread = rng.choice([1, 2, 4, 8])
    step = "" if per_thread == 1 else f" * {per_thread}"
    index = f"(t / {group}) * {pitch} + (t % {group}){step}"
    request = Request("global", "float", index, store=True)
    return ask_number(
        rng,
        text(
            f"The epilogue of a matrix product. c is a float matrix at a 128-byte boundary with rows of {pitch} "
            f"floats; t is the lane:\n\n    c[{index}] = acc[0];\n\n"
            "How many 32-byte sectors does this one store of a warp touch?",
            f"矩阵乘法的收尾。c 是起始于 128 字节边界、每行 {pitch} 个 float 的矩阵，t 为 warp 内线程号：\n\n"
            f"    c[{index}] = acc[0];\n\n一个 warp 的这次写入涉及多少个 32 字节扇区？",
        ),
        request.cost,
        text("sectors", "个扇区"),
        [
            Wrong(4, text("That would be 32 floats side by side. Here the warp is cut into rows.",
                          "那是 32 个 float 相邻的情形；这里 warp 被分到多行。")),
            Wrong(32, text("Lanes of a group that lie within 32 bytes share a sector.",
                           "同组内落在 32 字节以内的线程共用扇区。")),
            Wrong(32 // group, text("That counts the rows; a row's piece can span several sectors.",
                                    "这是行数；每行的一段可能跨几个扇区。")),
            Wrong(4 * per_thread, text("That ignores that each group starts a new row.",
                                       "这忽略了每组从新的一行开始。")),
            Wrong(2 * request.cost, text("A store does not fetch and write: only the touched sectors count, once.",
                                         "写入不会重复计数：涉及的扇区只计一次。")),
        ],
        text(
            f"{32 // group} groups of {group} lanes, each in a row of its own and {4 * per_thread} bytes apart "
            f"within it: {request.cost} sectors for 128 bytes, {request.efficiency:.3g} % used. Exchanging "
            "fragments through shared memory first, or giving each lane neighbouring floats to store as a "
            "vector, fills the sectors.",
            f"{32 // group} 组，每组 {group} 个线程在同一行、间隔 {4 * per_thread} 字节：128 字节数据涉及 "
            f"{request.cost} 个扇区，利用率 {request.efficiency:.3g}%。先经共享内存交换，或让每个线程以向量写相邻元素，"
            "即可填满扇区。",
        ),
        picture=request.picture,
        sample=request.sample,
        parameters={"group": group, "pitch": pitch, "per_thread": per_thread},
    )
